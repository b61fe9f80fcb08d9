#include <bowhist/device/leave.hpp>

#include <bowhist/device/device.hpp>

#include <fmt/format.h>

#include <string>

namespace bowhist {

void leave(Device &device, const Error &failure, Observer &observer) {
    if (!device.leave()) return;
    const std::string what = failure.what();
    const std::string happened = what.substr(0, what.find("; ")); // the advice is for one device
    observer.warning(fmt::format("device {} leaves, and the others do its work ({})",
                                 device.info().number, happened));
}

} // namespace bowhist

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

namespace bowhist {

void warn_of_unused(const DeviceWishes &wishes, const std::string &why, Observer &observer) {
    const auto warn = [&](const char *option, const std::string &value) {
        observer.warning(fmt::format("{} {} has no effect: {}", option, printable(value), why));
    };
    if (!wishes.device.empty()) warn("--device", wishes.device);
    if (!wishes.kernel_dir.empty()) warn("--kernel-dir", wishes.kernel_dir.native());
    if (wishes.batch > 0) warn("--batch", std::to_string(wishes.batch));
}

void warn_of_unused_device(const LevelRequest &request, const LevelChoice &level, bool preprocesses,
                           Observer &observer) {
    if (level.level->on_device) return;
    DeviceWishes unused;
    if (!preprocesses) unused = {request.device, request.kernel_dir};
    if (request.level != "auto")
        unused.batch = request.options.batch;
    else if (request.options.batch > 0)
        observer.note(fmt::format("--batch {} has no effect: auto chose {}, which uses no device",
                                  request.options.batch, level.name()));
    warn_of_unused(unused,
                   fmt::format("{} uses no device; choose a level that does, such as --kernel gpu1",
                               level.name()),
                   observer);
}

} // namespace bowhist

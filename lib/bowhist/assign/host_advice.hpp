#pragma once

#include <bowhist/device/build_failure.hpp>

#include <string>

namespace bowhist {

/// Runs `call`; an error of the device keeps its type and says what `tell` makes of its message.
template <typename Call, typename Tell>
auto retelling(Call &&call, const Tell &tell) {
    try {
        return call();
    } catch (const BuildFailure &failure) {
        throw BuildFailure(tell(failure.what()), failure.detail);
    } catch (const OutOfMemory &error) {
        throw OutOfMemory(tell(error.what()));
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        throw Error(error.fault, tell(error.what()), error.detail);
    }
}

/// Runs `call`; a device's error then also says that there are levels without a device. The device
/// itself knows nothing of levels: other operations, which have none, use it as well.
template <typename Call>
auto advising_host_levels(Call &&call) {
    return retelling(call, [](const std::string &what) {
        return what + ", or use a host level (--kernel simd)";
    });
}

} // namespace bowhist

#pragma once

#include <bowhist/device/opencl.hpp>

#include <string>

namespace bowhist {

/// Runs `call`. A device's error keeps its type, and gets the message that `rephrase` returns.
template <typename Call, typename Rephrase>
auto rephrasing(Call &&call, const Rephrase &rephrase) {
    try {
        return call();
    } catch (const BuildFailure &failure) {
        throw BuildFailure(rephrase(failure.what()), failure.detail);
    } catch (const OutOfMemory &error) {
        throw OutOfMemory(rephrase(error.what()));
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        throw Error(error.fault, rephrase(error.what()), error.detail);
    }
}

/// Runs `call`. A device's error also says that there are levels without a device. Devices do not
/// know levels: other operations use them, too.
template <typename Call>
auto advising_host_levels(Call &&call) {
    return rephrasing(call, [](const std::string &what) {
        return what + ", or use a host level (--kernel simd)";
    });
}

} // namespace bowhist

#pragma once

#include <bowhist/core/error.hpp>

#include <string>

namespace bowhist {

/// Runs `call`; a device's error then also says that there are levels without a device. The device
/// itself knows nothing of levels: other operations, which have none, use it as well.
template <typename Call>
auto advising_host_levels(Call &&call) {
    try {
        return call();
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        throw Error(error.fault,
                    error.what() + std::string(", or use a host level (--kernel openmp)"),
                    error.detail);
    }
}

} // namespace bowhist

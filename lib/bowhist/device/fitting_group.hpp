#pragma once

#include <bowhist/device/session.hpp>

#include <algorithm>

namespace bowhist {

/// Work-items of a group that share nothing: as many as wanted, or as the kernel can have, which
/// may be fewer than its device says of kernels in general (Mali, Apple).
inline std::size_t fitting_group(const Kernel &kernel, std::size_t wanted) {
    return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(kernel.work_group_size, 1));
}

} // namespace bowhist

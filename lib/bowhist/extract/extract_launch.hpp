#pragma once

#include <bowhist/device/launch_image.hpp>

#include <bit>
#include <cstdint>

namespace bowhist {

// OpenCL C's names
inline float as_float(std::int32_t bits) {
    return std::bit_cast<float>(bits);
}
inline std::int32_t as_int(float value) {
    return std::bit_cast<std::int32_t>(value);
}

// of cl/: the kernels read the same files
#include <extract/extract_launch.h>
#include <extract/surf_launch.h>
#include <extract/surf_refine.h>

} // namespace bowhist

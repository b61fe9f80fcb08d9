#pragma once

#include <bowhist/device/device.hpp>

#include <cstdint>

namespace bowhist {

#include <ops/ops_launch.h> // of cl/: the kernels read the same file

/// OpenCL C's name for a type of the host: the value of a kernel's -DTYPE.
template <typename T>
inline constexpr const char *element_name = nullptr;
template <>
inline constexpr const char *element_name<std::uint8_t> = "uchar";
template <>
inline constexpr const char *element_name<std::int32_t> = "int";
template <>
inline constexpr const char *element_name<std::uint32_t> = "uint";
template <>
inline constexpr const char *element_name<float> = "float";

/// Launches a kernel of cl/ once, as Device::launch().
template <typename... Arguments>
void launch(Device &device, Kernel kernel, Range global, Range group,
            const Arguments &...arguments) {
    device.launch(kernel, global, group, arguments...);
}

} // namespace bowhist

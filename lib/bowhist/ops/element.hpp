#pragma once

#include <cstdint>

namespace bowhist {

/// What OpenCL C calls a type of the host: the value of a kernel's -DTYPE.
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

} // namespace bowhist

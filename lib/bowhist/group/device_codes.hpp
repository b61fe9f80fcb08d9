#pragma once

#include <bowhist/core/integer_rows.hpp>
#include <bowhist/device/device.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Codes on a device, in places of their own: so mixed that rows which are alike are spread
/// evenly, whatever their order was. Rows of zeros are left out. Behind the last code are codes of
/// zeros, for whole tiles.
struct DeviceCodes {
    std::vector<std::uint32_t> rows; ///< of each place
    Buffer<std::int8_t> values;      ///< [place][slice]
    Buffer<float> inverse_norms;     ///< 1/norm, rounded; 0 behind the last
    Buffer<cl_int> squared_norms;    ///< of each place
    Buffer<cl_uint> numbers;         ///< `rows`

    std::size_t size() const { return rows.size(); }
};

/// Bytes of a code on a device.
std::size_t code_bytes(std::size_t dimensions);

/// @throws Error{Fault::device}, OutOfMemory
DeviceCodes upload_codes(Device &device, const IntegerRows &rows,
                         std::span<const std::int32_t> squared_norms);

} // namespace bowhist

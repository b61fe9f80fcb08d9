#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

// Samples of a TIFF that no C++ type holds.

namespace bowhist {

/// Bytes that must follow a row of packed samples: they are read five at a time.
constexpr std::size_t packed_sample_padding = 8;

/// A sample of fewer than 32 bits, the highest first, `at` bits behind the first of the row.
inline std::uint32_t packed_sample(const std::uint8_t *row, std::size_t at, int bits) {
    std::uint64_t window = 0;
    for (std::size_t i = 0; i < 5; ++i) window = window << 8 | row[at / 8 + i];
    const auto behind = 40 - static_cast<int>(at % 8) - bits;
    return static_cast<std::uint32_t>(window >> behind) & ((1U << bits) - 1);
}

/// libtiff puts 24 bits in the host's order, little-endian as everywhere here.
inline std::uint32_t three_bytes(const std::uint8_t *at) {
    return static_cast<std::uint32_t>(at[2]) << 16 | static_cast<std::uint32_t>(at[1]) << 8 | at[0];
}

/// A float of 24 bits: a sign, 7 bits of exponent, 16 of fraction.
inline float float24(std::uint32_t bits) {
    constexpr std::uint32_t special = 0x7F;
    constexpr int bias = 63;
    constexpr int fraction_bits = 16;
    const std::uint32_t exponent = bits >> fraction_bits & special;
    const std::uint32_t fraction = bits & 0xFFFF;
    float size = 0;
    if (exponent == special)
        size = fraction == 0 ? std::numeric_limits<float>::infinity()
                             : std::numeric_limits<float>::quiet_NaN();
    else if (exponent == 0)
        size = std::ldexp(static_cast<float>(fraction), 1 - bias - fraction_bits);
    else
        size = std::ldexp(static_cast<float>(fraction | 1U << fraction_bits),
                          static_cast<int>(exponent) - bias - fraction_bits);
    return bits >> 23 != 0 ? -size : size;
}

} // namespace bowhist

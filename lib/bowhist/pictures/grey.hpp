#pragma once

#include <cstdint>

namespace bowhist {

/// The grey of a colour, by OpenCV's weights and rounding.
inline std::uint8_t grey_of(int red, int green, int blue) {
    const int sum = red * 9798 + green * 19235 + blue * 3735; // in 1/2^15
    return static_cast<std::uint8_t>((sum + (1 << 14)) >> 15);
}

} // namespace bowhist

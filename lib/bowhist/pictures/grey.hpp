#pragma once

#include <bowhist/pictures/raster.hpp>

namespace bowhist {

/// The grey of a color, by OpenCV's weights and rounding.
inline std::uint8_t grey_of(int red, int green, int blue) {
    const int sum = red * 9798 + green * 19235 + blue * 3735; // in 1/2^15
    return static_cast<std::uint8_t>((sum + (1 << 14)) >> 15);
}

/// Writes a pixel and returns where the next one goes.
inline std::uint8_t *put_pixel(std::uint8_t *to, Color color, std::uint8_t red, std::uint8_t green,
                               std::uint8_t blue) {
    if (color == Color::grey) {
        *to++ = grey_of(red, green, blue);
    } else {
        *to++ = blue;
        *to++ = green;
        *to++ = red;
    }
    return to;
}

} // namespace bowhist

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {

/// The colors that a decoder is asked for; the value is the number of bytes of a pixel. `whole` is
/// what the file holds: blue, green, red and alpha, each in 16 bits, the low ones first, over no
/// ground. Only kinds that OpenCV decodes have it, in their own size.
enum class Color { grey = 1, bgr = 3, whole = 8 };

/// An image of 8 bits a channel (but for Color::whole), row after row without padding; channels
/// beside each other.
struct Raster {
    int width = 0;  ///< pixels
    int height = 0; ///< pixels
    Color color = Color::grey;
    std::vector<std::uint8_t> samples;

    std::size_t row_samples() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(color);
    }
};

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

/// The image that a decoder makes of a file.
struct DecodedImage {
    Raster image;
    std::string damage; ///< what is wrong with a JPEG's data; empty when all is well
    std::string note;   ///< what the decoder had to guess; empty when the file says it all
};

} // namespace bowhist

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {

/// What a decoder is asked for; its value is the number of channels.
enum class Color { grey = 1, bgr = 3 };

/// An image of 8 bits a channel, row after row without padding; channels beside each other.
struct Raster {
    int width = 0;  ///< pixels
    int height = 0; ///< pixels
    Color color = Color::grey;
    std::vector<std::uint8_t> samples;

    std::size_t row_samples() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(color);
    }
};

/// What a decoder makes of a file.
struct DecodedImage {
    Raster image;
    std::string damage; ///< what is wrong with a JPEG's data; empty when all is well
    std::string note;   ///< what the decoder had to guess; empty when the file says it all
};

} // namespace bowhist

#pragma once

#include <cstdint>
#include <vector>

namespace bowhist {

/// A grey image, 8 bits a pixel, row after row without padding, 0 black and 255 white.
struct Image {
    int width = 0;  ///< pixels
    int height = 0; ///< pixels
    std::vector<std::uint8_t> pixels;
};

} // namespace bowhist

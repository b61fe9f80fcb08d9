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

/// The stand-in for pixels outside of an image.
enum class Border {
    zero,      ///< 0: OpenCV's BORDER_CONSTANT with its default value
    replicate, ///< the nearest pixel, aaa|abcd|ddd: OpenCV's BORDER_REPLICATE
    reflect    ///< mirrored about the outermost pixels, which are not repeated, dcb|abcd|cba:
               ///< OpenCV's BORDER_REFLECT_101 and its default (not BORDER_REFLECT, which
               ///< repeats them)
};

/// A part of an image, in pixels of the upright original.
struct ImageRegion {
    int x = 0; ///< of its left side
    int y = 0; ///< of its top
    int width = 0;
    int height = 0;
};

} // namespace bowhist

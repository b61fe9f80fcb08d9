#pragma once

namespace bowhist {

/// The stand-in for pixels outside of an image.
enum class Border {
    zero,      ///< 0: OpenCV's BORDER_CONSTANT with its default value
    replicate, ///< the nearest pixel, aaa|abcd|ddd: OpenCV's BORDER_REPLICATE
    reflect    ///< mirrored about the outermost pixels, which are not repeated, dcb|abcd|cba:
               ///< OpenCV's BORDER_REFLECT_101 and its default (not BORDER_REFLECT, which
               ///< repeats them)
};

} // namespace bowhist

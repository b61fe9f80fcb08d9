#pragma once

#include <bowhist/device/device.hpp>

namespace bowhist {

/// How the work-items of convolve_sliding.cl and convolve_separable.cl divide an image.
struct SlidingShape {
    std::size_t lanes = 4;  ///< neighboring columns of a work-item: 2 or 4, direct: 4, 8 or 16
    std::size_t strip = 64; ///< rows of a work-item; it reads the filter's height less one more
    Range group = {32, 4};  ///< work-items
    bool direct = false;    ///< every step loads its own pixels (a CPU), not the window once
};

/// How the groups of convolve_separable_tiled.cl do.
struct SeparableTile {
    std::size_t columns = 256; ///< that a group makes, a multiple of 4; it reads the halo's, too
    std::size_t strip = 128;   ///< rows of a group; it reads the filter's height less one more
    std::size_t step = 16;     ///< rows that are on their way at once
};

/// For a filter of that height: on a CPU vectors as wide as its own, on a GPU what its registers
/// hold.
SlidingShape sliding_shape(const Device &device, std::size_t filter_height);

} // namespace bowhist

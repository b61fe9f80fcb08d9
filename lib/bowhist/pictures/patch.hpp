#pragma once

#include <bowhist/pictures/raster.hpp>

namespace bowhist {

/// A parallelogram in an image, in its pixels; whole numbers are the middles of pixels.
struct PatchPlace {
    double x = 0, y = 0;               ///< its middle
    double right_x = 0, right_y = 0;   ///< from its left side to its right one
    double bottom_x = 0, bottom_y = 0; ///< from its upper side to its lower one
};

/// Cuts the place out as an upright square. Each new pixel is the mean of interpolated points of
/// what it covers. The image's border is repeated beyond the image. To look at: float64.
/// @param image  at least a pixel
/// @param side   pixels of the square
Raster cut_patch(const Raster &image, const PatchPlace &place, int side);

} // namespace bowhist

#pragma once

#include <bowhist/core/image.hpp>

namespace bowhist {

/// How many of an image's pixels show detail of their own: nearly all of a sharp image, few of one
/// that was enlarged or blurred. The measure is how strong the finest detail is beside that of half
/// the size, without the edges of JPEG's blocks, which are no detail.
///
/// float64, + - × ÷ √ only, in a fixed order.
/// @param image  in its full size
double pixels_with_detail(const Image &image);

} // namespace bowhist

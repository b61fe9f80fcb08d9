#pragma once

#include <bowhist/core/image.hpp>

namespace bowhist {

/// A part of an upright original, in pixels.
struct PartOfImage {
    int left = 0;
    int top = 0;
    int right = 0; ///< behind the last one
    int bottom = 0;

    bool operator==(const PartOfImage &) const = default;
};

/// The share of an image's pixels that show detail of their own: 1 of a sharp image, little of one
/// that was enlarged or blurred. The measure is how strong the finest detail is beside that of half
/// the size, without the edges of JPEG's blocks, which are no detail.
///
/// float64, + - × ÷ √ only, in a fixed order.
/// @param image  in its full size
/// @param part   of it that is looked at; cut at the image's edges
double share_of_detail(const Image &image, const PartOfImage &part);

} // namespace bowhist

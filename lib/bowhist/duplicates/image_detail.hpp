#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/search/geometry.hpp>

namespace bowhist {

/// A rectangle of an upright original, in pixels.
struct PartOfImage {
    int left = 0;   ///< the first column
    int top = 0;    ///< the first row
    int right = 0;  ///< one past the last column
    int bottom = 0; ///< one past the last row

    bool operator==(const PartOfImage &) const = default;
};

/// The least part of an image that holds another one, without the edges of that.
/// @param map  from the other one
PartOfImage part_under(const AffineMap &map, const PartOfImage &other);
PartOfImage common_part(const PartOfImage &one, const PartOfImage &other);

/// The share of an image's pixels that show detail of their own: 1 for a sharp image, little for
/// one that was enlarged or blurred. The finest detail of the image is compared with that of the
/// image in half the size, without the edges of JPEG's blocks, which are no detail.
///
/// float64, + - × ÷ √ only, in a fixed order.
/// @param image  in full size
/// @param part   what is measured of it; the image's edges limit it
/// @return 0 … 1; 1 also for a part of fewer than 32 pixels a side, or of one level
double share_of_detail(const Image &image, const PartOfImage &part);

} // namespace bowhist

#pragma once

#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/raster.hpp>

namespace bowhist {

/// The size of an image whose longer side grows to `side` pixels; the other is rounded, halves up.
/// An image with a side of as many pixels or more keeps its size, and so does every image when
/// `side` is 0.
PixelSize enlarged(PixelSize full, int side);

/// The image at that size: bilinear, the middles of pixels being their places, outermost pixels
/// repeated. The weight of the second of two neighbors along an axis is a whole number of 2048ths,
/// halves to even; the four weighted samples are added up in integers and rounded once, halves up.
/// So a pixel has the same bits everywhere, and an image that is mirrored or transposed before is
/// the one that is mirrored or transposed after. REQUIRES: `to` is nowhere smaller than the image,
/// which has a pixel
Raster enlarge(const Raster &image, PixelSize to);

} // namespace bowhist

#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/extract/surf/integral_image.hpp>

#include <vector>

namespace bowhist {

/// The octaves' images: smoothed, and from the second on every second pixel of every second row
/// of the one before (docs/descriptors.md). The first has the image's size.
std::vector<IntegralImage> surf_pyramid(const Image &image, int octaves);

} // namespace bowhist

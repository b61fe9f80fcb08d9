#pragma once

#include <bowhist/pictures/raster.hpp>

#include <string>

namespace bowhist {

/// The image as a JPEG of quality 80: to look at. @throws std::bad_alloc
std::string encode_jpeg(const Raster &image);

/// The same of an image of luma and chroma: Y, Cb, Cr.
std::string encode_luma_and_chroma(const Raster &image);

} // namespace bowhist

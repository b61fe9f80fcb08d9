#pragma once

#include <bowhist/pictures/raster.hpp>

#include <string>

namespace bowhist {

/// A JPEG of decoded pixels, shrunk to at most `side` pixels a side, a long strip too.
/// thumbnail_jpeg of a path (pictures/picture.hpp) decodes them first. @throws std::bad_alloc
std::string thumbnail_jpeg(const Raster &image, int side);

} // namespace bowhist

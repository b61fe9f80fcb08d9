#pragma once

#include <bowhist/pictures/raster.hpp>

#include <string_view>

namespace bowhist {

/// How the camera was held, 1 (upright) to 8, from the payload of a JPEG's first APP1 segment:
/// "Exif", two zeros, then a TIFF whose first directory may tell. 1 when it does not.
int exif_orientation(std::string_view segment);

/// The picture turned and mirrored as its EXIF orientation (1 to 8) asks.
Raster upright(Raster stored, int orientation);

} // namespace bowhist

#pragma once

#include <bowhist/pictures/raster.hpp>

namespace bowhist {

/// The image turned and mirrored as its Exif orientation (1 to 8) asks.
Raster upright(Raster stored, int orientation);

} // namespace bowhist

#pragma once

#include <optional>
#include <string_view>

namespace bowhist {

/// How the camera was held, 1 (upright) to 8, by an Exif block: a TIFF whose first directory may
/// hold the orientation. "Exif" and two more bytes may stand in front. Nothing when the block does
/// not say, or says something else.
std::optional<int> exif_orientation(std::string_view block);

} // namespace bowhist

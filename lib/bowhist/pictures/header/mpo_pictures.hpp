#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bowhist {

/// The pictures of a JPEG, by its index of the Multi-Picture Format (CIPA DC-007, an APP2 before
/// the first scan): its own, then those behind it that show something else in full size, as the
/// two of a stereo camera. Previews, gain maps and depth maps are no pictures of their own.
/// @return the bytes of each, from its start to the file's end; any bytes will do
std::vector<std::string_view> mpo_pictures(std::string_view file);

/// Whether a JPEG, of which these bytes are the beginning, has such an index: only the whole file
/// says what it leads to.
bool has_picture_index(std::string_view head);

} // namespace bowhist

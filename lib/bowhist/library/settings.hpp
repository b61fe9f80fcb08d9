#pragma once

#include <string>

namespace bowhist {

/// The descriptions that a library holds of each image, chosen when it is made.
struct LibrarySettings {
    bool words = true;
    bool code = true;
    bool positions = true;
    bool mirrored = false;
    bool thumbnails = true;

    bool operator==(const LibrarySettings &) const = default;
};

/// "words code positions thumbnails"
std::string as_text(const LibrarySettings &settings);
/// The same, read back.
LibrarySettings settings_of(const std::string &text);

} // namespace bowhist

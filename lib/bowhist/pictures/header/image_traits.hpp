#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

// A file's statements about its image, beside the pixels. They are read from headers, without
// decoding. Any bytes will do; a statement that cannot be read counts as absent.

/// Kinds of metadata, each a bit of ImageTraits::metadata.
enum MetadataBit : std::uint32_t {
    has_camera = 1,   ///< make or model
    has_time = 2,     ///< capture_time()
    has_position = 4, ///< GPS
    has_exposure = 8, ///< exposure time, aperture, sensitivity, focal length or lens
    has_profile = 16, ///< an ICC profile
    has_xmp = 32
};

struct ImageTraits {
    std::uint32_t frames = 1;   ///< frame_count()
    int orientation = 0;        ///< by Exif, 1 (upright) to 8; 0 where it says nothing
    std::uint32_t metadata = 0; ///< sum of MetadataBit
    std::optional<std::string> captured = {}; ///< capture_time()
};

/// A JPEG's headers end at its first scan; only its other pictures (mpo_pictures.hpp) lie behind.
ImageTraits image_traits(std::string_view whole);

/// The bytes of a JPEG before its first scan. Nothing of another file, or where these bytes end
/// before.
std::optional<std::size_t> jpeg_head(std::string_view file);

/// The number of frames of a GIF, PNG, WebP, HEIC or AVIF, of full pages of a TIFF, or of pictures
/// of a JPEG, as the file holds or says it, at most 65535. 1 for every still and for any other
/// file. A movie behind a phone's still does not count.
std::uint32_t frame_count(std::string_view file);

} // namespace bowhist

#pragma once

#include <string>
#include <string_view>

namespace bowhist {

/// A HEIC or AVIF that holds no more than its primary image needs: a copy with another `meta`.
///
/// libheif 1.15 refuses a whole file for what lies beside the image: an auxiliary image, a
/// thumbnail or metadata that belongs to two items (iPhones since iOS 18 write a gain map, a depth
/// map and Exif that refer to the image and to its tone-mapped twin), items without data, groups
/// of items, a movie's boxes behind the still's. None of these reaches it. Kept are the primary
/// image, what it is derived from, and its auxiliary images; each of these then refers to the
/// primary image alone.
///
/// A file whose boxes are not as expected comes back as it is.
std::string heif_still(std::string_view file);

} // namespace bowhist

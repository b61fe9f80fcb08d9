#pragma once

#include <bowhist/duplicates/pair_check.hpp>
#include <bowhist/duplicates/pixels/image_detail.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

// These functions read the files themselves. They take results from `kept` as long as a file's size
// and time are those that the library read.

/// Whether the file is still what the library read.
bool is_unchanged(const LibraryImage &image);

/// The image in gray, at most 2048 pixels a side, and without color; of no pixels if its file
/// cannot be read.
SizedThumbnail close_view(const LibraryImage &image);

/// The qualities of parts of some images. Images whose files cannot be read are left out.
std::map<std::uint32_t, ImageQuality>
image_qualities(const NumberedImages &images, const std::map<std::uint32_t, PartOfImage> &parts,
                KeptPairs &kept, Observer &observer);

/// Whether an image follows `one` rather than `other` where these two differ.
/// @param map_to_one  from the image, in pixels of the upright originals
/// @return nothing where that is in doubt, or a file cannot be read
std::optional<bool> follows_first(const LibraryImage &image, const LibraryImage &one,
                                  const AffineMap &map_to_one, const LibraryImage &other,
                                  const AffineMap &map_to_other);

/// The pixels of upright images: a hash of all that the file holds of them, in color; empty if it
/// cannot be read. And what they hold beyond opaque colors of 8 bits.
std::map<std::uint32_t, KeptPairs::Pixels> whole_images(const NumberedImages &images,
                                                        const std::vector<std::uint32_t> &numbers,
                                                        KeptPairs &kept, Observer &observer);

} // namespace bowhist

#pragma once

#include <bowhist/duplicates/image_detail.hpp>
#include <bowhist/duplicates/pair_check.hpp>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

// What is read of the files themselves. What `kept` holds stands for it as long as a file's size
// and time are those that the library read.

/// Whether the file is still what the library read.
bool is_unchanged(const LibraryImage &image);

/// Compares pairs again, in up to 2048 pixels a side, which are decoded for it. Pairs of equal
/// pixels and of files that cannot be read have an empty check.
std::vector<PageCheck> check_pages(const NumberedImages &images, std::span<const CheckedPair> pairs,
                                   KeptPairs &kept, Observer &observer);

/// Of parts of some images the share of pixels that show detail (image_detail.hpp); without those
/// whose file cannot be read.
std::map<std::uint32_t, double> image_details(const NumberedImages &images,
                                              const std::map<std::uint32_t, PartOfImage> &parts,
                                              KeptPairs &kept, Observer &observer);

/// Of two images that differ, the one that a third follows where they differ.
/// @param map_to_one  from the image, in pixels of the upright originals
/// @return nothing where that is in doubt, or a file cannot be read
std::optional<bool> follows_first(const LibraryImage &image, const LibraryImage &one,
                                  const AffineMap &map_to_one, const LibraryImage &other,
                                  const AffineMap &map_to_other);

/// Of some images a hash of the upright image's pixels in color; empty where the file cannot be
/// read.
std::map<std::uint32_t, std::string> pixel_hashes(const NumberedImages &images,
                                                  const std::vector<std::uint32_t> &numbers,
                                                  KeptPairs &kept, Observer &observer);

} // namespace bowhist

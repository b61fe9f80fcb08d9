#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/candidates.hpp>
#include <bowhist/duplicates/pixel_comparison.hpp>
#include <bowhist/duplicates/shared_geometry.hpp>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// A pair of images that share words and places, and what their pixels say.
struct CheckedPair {
    CandidatePair pair = {};
    SharedGeometry geometry = {};
    PixelComparison pixels = {};
};

/// Checks candidates. Pairs of fewer than 8 agreeing places are left out; of the two sides of a
/// pair, that of more places remains. The same result for any number of threads.
/// @param recipe      of the words
/// @param candidates in their order
std::vector<CheckedPair> check_pairs(const NumberedImages &images, const Recipe &recipe,
                                     const std::vector<CandidatePair> &candidates,
                                     Observer &observer);

/// Compares pairs again, in up to 1024 pixels a side, which are decoded for it.
/// @return of each pair the blocks that show something else; none where a file cannot be read
std::vector<std::size_t> blocks_replaced(const NumberedImages &images,
                                         std::span<const CheckedPair> pairs, Observer &observer);

/// Of some images a hash of the upright image's pixels in color; empty where the file cannot be
/// read.
std::map<std::uint32_t, std::string> pixel_hashes(const NumberedImages &images,
                                                  const std::vector<std::uint32_t> &numbers,
                                                  Observer &observer);

/// The thumbnail that a library holds, or one that is made of the image's file.
/// @return of no pixels where there is neither
SizedThumbnail thumbnail_of(const LibraryImage &image, const std::string &stored);

} // namespace bowhist

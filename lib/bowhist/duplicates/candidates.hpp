#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/numbered_images.hpp>
#include <bowhist/search/index_part.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Two images that may show the same.
struct CandidatePair {
    std::uint32_t first = 0; ///< the lower number
    std::uint32_t second = 0;
    bool mirrored = false; ///< the first image's mirror image is like the second

    auto operator<=>(const CandidatePair &) const = default;
};

/// Images that can be found, and the number of each.
struct FindableImages {
    const IndexPart &part;
    std::span<const std::uint32_t> numbers;
};

/// Of each query those images that are most like it: `most` by words, as many by the words of its
/// mirror image, and half as many by the code, which a mirror image shares. In their order, each
/// once.
/// @param queries  numbers of images
std::vector<CandidatePair> candidate_pairs(const NumberedImages &images,
                                           std::span<const std::uint32_t> queries,
                                           const FindableImages &findable, std::size_t most,
                                           Observer &observer);

} // namespace bowhist

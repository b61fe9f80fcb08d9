#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/resident_images.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Two images that may show the same.
struct CandidatePair {
    std::uint32_t first = 0; ///< the lower number
    std::uint32_t second = 0;
    bool mirrored = false; ///< the first image's mirror image is like the second

    auto operator<=>(const CandidatePair &) const = default;
};

/// Of each image those that are most like it: `most` by words, as many by the words of its mirror
/// image, and half as many by the code, which a mirror image shares. In their order, each once.
std::vector<CandidatePair> candidate_pairs(const Library &library, const ResidentImages &images,
                                           std::size_t most, Observer &observer);

} // namespace bowhist

#pragma once

#include <bowhist/duplicates/kept_pairs.hpp>
#include <bowhist/duplicates/searched_images.hpp>

#include <cstddef>
#include <vector>

namespace bowhist {

/// Proposals of all images.
struct CandidateSearch {
    std::vector<Proposals> proposals; ///< of each image; none of those of a reference
    bool is_new = false;              ///< not what was kept
};

/// Searches among all images, or for those of the library among those of the reference.
CandidateSearch search_candidates(const SearchedImages &searched, std::size_t most,
                                  Observer &observer);

/// The same of a whole library without a reference, as if it was searched anew: images that the
/// library kept proposals of are only held against new ones, unless an image that they proposed
/// left.
CandidateSearch search_new_candidates(const SearchedImages &searched, const KeptPairs &kept,
                                      std::size_t most, Observer &observer);

} // namespace bowhist

#pragma once

#include <bowhist/compare/image_search.hpp>
#include <bowhist/compare/mutual_search.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// search() of queries_at_once queries, or fewer.
std::vector<std::vector<ScoredImage>> compare_on_host(const SearchableImages &images,
                                                      std::span<const ImageQuery> queries,
                                                      const ScoreWeights &weights, std::size_t most,
                                                      const HostWay &way, std::int64_t least);

/// MutualSearch::compare() of these. @param most  that a query wants, as an image does
void compare_on_host(const SearchableImages &images, std::span<const ImageQuery> queries,
                     const ScoreWeights &weights, std::size_t most, MutualSearch &mutual,
                     std::span<const std::uint32_t> of_queries);

} // namespace bowhist

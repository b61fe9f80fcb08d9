#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace bowhist {

/// Where centroids start.
enum class Start {
    sampled, ///< greedy, among 32 random descriptors per word, and fewer of more than 2048 words:
             ///< after some iterations it fits as well
    greedy,  ///< greedy k-means++, among all descriptors
    random   ///< random descriptors
};
inline constexpr std::array starts = {Start::sampled, Start::greedy, Start::random};
/// "sampled", "greedy", "random".
std::string_view name_of(Start start);

/// Greedy k-means++: the first centroid is a random descriptor; each next one is the best of a few
/// descriptors drawn with a probability in proportion to the squared distance from the centroids so
/// far (Arthur and Vassilvitskii 2007, section 5; 2 + ln k draws, at most 8).
///
/// Distances are of whole numbers (whole_rows.hpp): the same draw on any machine, with any number
/// of threads. Reports progress as "starting words".
/// @param descriptors  no fewer than k
Vocabulary start_centroids(const Descriptors &descriptors, std::size_t k, Start start,
                           std::uint64_t seed, Observer &observer);

} // namespace bowhist

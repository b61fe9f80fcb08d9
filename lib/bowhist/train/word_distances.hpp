#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/team/team.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {

/// The sum of the squared distances between descriptors and their words' centroids.
///
/// @param words  one a descriptor
/// @param team   whose members have the other descriptors
double inertia_of(const DescriptorRows &rows, std::span<const std::int32_t> words,
                  const Vocabulary &vocabulary, Team &team = one_process());

/// Descriptors far from their words' centroids, the farthest first.
struct FarRows {
    Descriptors rows;
    std::vector<double> distances; ///< squared
};

/// The descriptors farthest from their words' centroids, in order; the first among equal ones.
/// @param count  at least 1
FarRows far_rows(const DescriptorRows &rows, std::span<const std::int32_t> words,
                 const Vocabulary &vocabulary, std::size_t count);
inline Descriptors farthest(const DescriptorRows &rows, std::span<const std::int32_t> words,
                            const Vocabulary &vocabulary, std::size_t count) {
    return far_rows(rows, words, vocabulary, count).rows;
}

/// The farthest of all members' far_rows(); among equal ones, those of the lower rank.
FarRows farthest_of(Team &team, FarRows own, std::size_t count);

} // namespace bowhist

#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

struct TrainOptions {
    std::size_t k = 256;    ///< words; 256 is the books' size and fits 64 KiB of constant memory
    std::uint64_t seed = 1; ///< of the draws of k-means++
    int iterations = 25;    ///< upper bound; training stops early when no word moves
};

/// A vocabulary and how it came about.
struct Training {
    Vocabulary vocabulary;
    std::vector<std::int32_t> words; ///< each training descriptor's word
    double inertia = 0;              ///< sum of squared distances to the words' centroids
    int iterations = 0;              ///< how often the centroids moved
    AssignmentReport report;         ///< of all assignments together
};

/// k-means (Lloyd) from a greedy k-means++ start, assigned by any level.
///
/// Sums are of fixed-point integers, so that the result is the same bit for bit whatever the level,
/// device, number of threads or order of summation. An empty word is put on the descriptor farthest
/// from its own. Reports progress as "iterations".
/// @throws Error{Fault::input} when there are fewer descriptors than words
Training train(const Descriptors &descriptors, const TrainOptions &options,
               const LevelChoice &level, Observer &observer);

} // namespace bowhist

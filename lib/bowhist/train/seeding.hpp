#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/team/team.hpp>
#include <bowhist/train/kmeans.hpp>
#include <bowhist/train/quantized_rows.hpp>

#include <cstddef>
#include <cstdint>

namespace bowhist {

class Device;

/// How many descriptors Start::sampled draws among: 32 per word, down to 8 for more than 2048
/// words. For more than most_drawn_words words it is 9 per 8 words, of which the first that differ
/// are taken.
std::size_t sampled_among(std::size_t k);

/// Each word that is drawn by its distance costs a pass over the sample.
inline constexpr std::size_t most_drawn_words = std::size_t{1} << 16;

/// Greedy k-means++: the first centroid is a random descriptor; each next one is the best of a few
/// descriptors drawn with a probability in proportion to the squared distance from the centroids so
/// far (Arthur and Vassilvitskii 2007, section 5; 2 + ln k draws, at most 8).
///
/// Distances are exact integers (quantized_rows.hpp): the draw is the same on any machine, with any
/// number of threads. Reports progress as "starting words".
/// @param rows  no fewer than k; rows that it draws among are copied, unless they lie in memory
/// @param device  chooses where it is faster; may be null
Vocabulary start_centroids(const DescriptorRows &rows, std::size_t k, Start start,
                           std::uint64_t seed, Observer &observer, Device *device = nullptr);

/// Whether members of a team can choose that start together.
bool can_share_start(Start start, std::size_t k);

/// The rows among which start_centroids() draws such a start.
Descriptors start_sample(const DescriptorRows &rows, std::size_t k, std::uint64_t seed);

/// Draws the start of start_centroids() with all members: each compares a range of the sample. They
/// exchange two small sums for each centroid.
/// @param sample  of start_sample(); all members have the same
Vocabulary shared_start(const Descriptors &sample, std::size_t k, std::uint64_t seed,
                        Observer &observer, Team &team);

/// How many rows are drawn for each of k centroids.
std::size_t draws_for(std::size_t k);

/// Whether the device allows groups of that size, with the local memory that they take.
bool can_choose(const Device &device, std::size_t dimensions);

/// The rows that greedy k-means++ makes centroids of, chosen on a device: the rows that the host
/// would choose. REQUIRES: can_choose().
/// @throws OutOfMemory; Error{Fault::device}; Error{Fault::interrupted}
std::vector<std::size_t> choose_on_device(Device &device, const QuantizedRows &rows, std::size_t k,
                                          std::uint64_t seed, Observer &observer);

} // namespace bowhist

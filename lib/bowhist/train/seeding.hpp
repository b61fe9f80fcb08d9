#pragma once

#include <bowhist/core/descriptor_rows.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/train/kmeans.hpp>
#include <bowhist/train/quantized_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {

class Device;

/// How many descriptors Start::sampled draws among: 32 per word, down to 8 for more than 2048
/// words.
std::size_t sampled_among(std::size_t k);

/// Into how many shares it divides those, to draw some of the words in each: one for up to 65 536
/// words, then one for each 8192.
std::size_t start_shares(std::size_t k);

/// Greedy k-means++: the first centroid is a random descriptor; each next one is the best of a few
/// descriptors drawn with a probability in proportion to the squared distance from the centroids so
/// far (Arthur and Vassilvitskii 2007, section 5; 2 + ln k draws, at most 8).
///
/// Distances are exact integers (quantized_rows.hpp): the draw is the same on any machine, with any
/// number of threads. Reports progress as "starting words".
/// @param rows  no fewer than k; those that it draws among are copied, unless they lie in memory
/// @param device  chooses where it is faster; may be null
Vocabulary start_centroids(const DescriptorRows &rows, std::size_t k, Start start,
                           std::uint64_t seed, Observer &observer, Device *device = nullptr);

/// How many rows are drawn for each of k centroids.
std::size_t draws_for(std::size_t k);

/// Whether the device allows groups of that size, with the local memory that they take.
bool can_choose(const Device &device, std::size_t dimensions);

/// Rows among which greedy k-means++ chooses k.
struct StartShare {
    QuantizedRows rows;
    std::size_t k;
    std::uint64_t seed;
};

/// The rows that greedy k-means++ makes centroids of, chosen on a device, in all shares at once:
/// the rows that the host would choose. REQUIRES: can_choose(); no share has more rows or a larger
/// k than the first.
/// @throws OutOfMemory; Error{Fault::device}; Error{Fault::interrupted}
std::vector<std::vector<std::size_t>>
choose_on_device(Device &device, std::span<const StartShare> shares, Observer &observer);
/// In one share.
inline std::vector<std::size_t> choose_on_device(Device &device, QuantizedRows &&rows,
                                                 std::size_t k, std::uint64_t seed,
                                                 Observer &observer) {
    const StartShare share{std::move(rows), k, seed};
    return choose_on_device(device, {&share, 1}, observer).front();
}

} // namespace bowhist

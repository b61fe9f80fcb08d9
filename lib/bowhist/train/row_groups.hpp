#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/train/word_distances.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bowhist {

class Device;

/// Consecutive rows, and how far the farthest of them is from its word.
struct RowGroup {
    std::size_t first;
    std::size_t size;
    double distance; ///< squared
};

/// Whether a device's groups are worth it: for many farthest rows the host would copy and measure
/// most rows again.
bool pays_by_groups(std::size_t count, std::size_t rows);

/// Reads the words of a group's rows from the device that measured it, which it returns.
using ReadWords = std::function<Device &(const RowGroup &group, std::span<std::int32_t> words)>;

/// The `count` rows farthest from their words, in order, of equal ones the first. The host measures
/// only the `count` groups with the farthest rows.
/// @param groups  of all rows, in order
/// @throws Error{Fault::device} where a device measured other distances than the host
FarRows far_rows_in(std::vector<RowGroup> groups, std::size_t count, const Descriptors &all,
                    const Vocabulary &centroids, const ReadWords &read_words);

} // namespace bowhist

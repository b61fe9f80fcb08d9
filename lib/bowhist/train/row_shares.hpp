#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <vector>

namespace bowhist {

/// How many rows a second each choice finds words of, each of one device. Devices of one name and
/// level count as equal. Unequal ones each find the words of a few rows, twice; one that fails
/// leaves (leave.hpp), with a warning to its choice's observer, and has 0. If all fail, all have 1:
/// their work shows why.
std::vector<double> paces_of(const std::vector<LevelChoice> &choices, const DescriptorRows &rows,
                             const Vocabulary &vocabulary);

/// How many rows each has by its pace, in blocks; some may have none. They add up to `rows`.
/// @param paces  not all 0
std::vector<std::size_t> shares_by(const std::vector<double> &paces, std::size_t rows);

} // namespace bowhist

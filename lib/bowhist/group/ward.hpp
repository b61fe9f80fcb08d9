#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Ward's groups ("Hierarchical grouping to optimize an objective function", 1963). At first each
/// row is a group; then the two groups that add least to the sum of squared distances to the
/// groups' centers are merged, until `groups` are left. Rows that are equal always
/// share a group, so there may be fewer. The same on every machine.
///
/// Takes 4 bytes and time in proportion to the dimensions for each pair of rows, twice. Reports
/// progress as "distances" and "merges".
/// @param rows     finite, at least one
/// @param weights  how many images each row stands for, above 0
/// @return each row's group: 0, 1 …, in the order of their first rows
/// @throws Error{Fault::interrupted}
std::vector<std::uint32_t> ward(const Descriptors &rows, std::span<const double> weights,
                                std::size_t groups, Observer &observer);

} // namespace bowhist

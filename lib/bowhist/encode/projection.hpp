#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/core/preparation.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Rows that a projection is learned from at most: their products take 8 bytes a pair.
inline constexpr std::size_t most_projection_rows = 4000;

/// Centered principal components. The products of all pairs of rows are exact; their leading
/// eigenvectors come from subspace iteration (Halko, Martinsson, Tropp 2011): a fixed start, a
/// fixed number of rounds, float64 sums in a fixed order, so that any number of threads gives the
/// same bits. Axes are sorted by variance. n rows have at most n - 1 components, fewer where rows
/// are equal; axes beyond these are zeros. Reports progress as "projection rounds".
/// @param rows  at most most_projection_rows, of at most 2^24 values
/// @throws Error{Fault::interrupted}
Projection learn_projection(const WholeRows &rows, std::size_t components, Observer &observer);

/// A row's components: exact products with the axes, less the offsets; magnitudes below 2^32.
/// Any thread, several at a time.
std::vector<std::int64_t> project(const Projection &projection, std::span<const std::int16_t> row);

} // namespace bowhist

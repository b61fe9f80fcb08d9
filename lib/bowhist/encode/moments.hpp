#pragma once

#include <bowhist/core/descriptors.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace bowhist {

/// The mean and covariance of rows.
struct Moments {
    std::vector<double> mean;
    std::vector<double> covariance; ///< D×D, of the whole population
};

/// How many parts are added up side by side. Their sums of products take 512 MiB at most, but for
/// two parts of more.
std::size_t parts_at_once(std::size_t dimensions);

/// The moments of the rows that `part` makes of 0 … parts - 1, on all threads. Each part is added
/// up in order, then the parts in theirs, in float64: the same bits for any number of threads.
/// Begins a part once all before its parts_at_once() are added up.
/// @param part  its rows, all of `dimensions`; called by many threads
Moments moments_of(std::size_t parts, std::size_t dimensions,
                   const std::function<Descriptors(std::size_t)> &part);

} // namespace bowhist

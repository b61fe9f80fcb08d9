#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/encode/eigenvectors.hpp>

#include <cstddef>
#include <vector>

namespace bowhist {

/// The eigenvectors of the largest values of a symmetric matrix without negative ones, at most
/// `count` and at most n, by subspace iteration with 32 vectors to spare. The largest are found
/// nearly exactly; where values lie close together near the last, their span is.
/// Zero vectors have value 0. Fixed start, rounds and orders: the same bits for any number of
/// threads. Reports progress as "projection rounds". @throws Error{Fault::interrupted}
Eigenvectors leading_eigenvectors(const std::vector<double> &matrix, std::size_t n,
                                  std::size_t count, Observer &observer);

/// Adds factor × values to sums, one by one.
void add_scaled(double factor, const double *values, std::size_t size, double *sums);

} // namespace bowhist

#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace bowhist {

/// The eigenvalues and eigenvectors of a symmetric matrix: the largest value first, of equal ones
/// the one that Jacobi's method left first.
struct Eigenvectors {
    std::vector<double> values;
    std::vector<double> vectors; ///< row i belongs to values[i]; unit length, its component of the
                                 ///< largest magnitude (of equal ones the first) is positive

    std::span<const double> vector(std::size_t i) const {
        return std::span(vectors).subspan(i * values.size(), values.size());
    }
};

/// Jacobi's cyclic method, row by row in float64 (Golub and Van Loan, Matrix Computations): one
/// thread, a fixed order, the same bits everywhere. n rows take about 50 n^3 operations. Reports
/// progress as "components", anew in each sweep.
/// @param matrix  n×n, symmetric, finite; magnitudes below 10^150
/// @throws Error{Fault::interrupted}
Eigenvectors eigenvectors_of(std::vector<double> matrix, std::size_t n, Observer &observer);

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

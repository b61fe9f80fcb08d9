#pragma once

#include <bowhist/core/observer.hpp>

#include <cstddef>
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

} // namespace bowhist

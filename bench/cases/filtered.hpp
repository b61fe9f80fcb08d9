#pragma once

#include <bowhist/core/filter.hpp>
#include <bowhist/core/image.hpp>

#include <vector>

namespace bowhist {

/// The reference for convolutions: square images of `side` pixels, end to end, filtered as Filter
/// defines it, summed in float64 and rounded once, on all cores. The filter may have any odd size;
/// the border is not `zero`.
std::vector<float> filtered(const std::vector<float> &pixels, std::size_t side,
                            const Filter &filter, Border border);

/// A square filter to measure with, of 3 × 3 weights or more: no product of a column and a row, so
/// that no short cut applies.
inline Filter unseparable(std::size_t side) {
    Filter filter{side, side, std::vector<float>(side * side)};
    for (std::size_t i = 0; i < filter.weights.size(); ++i)
        filter.weights[i] = 1 / static_cast<float>(1 + i * i % 97);
    return filter;
}

} // namespace bowhist

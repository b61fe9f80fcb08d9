#pragma once

#include <bowhist/core/filter.hpp>

namespace bowhist {

/// A square filter to measure with, of 3 × 3 weights or more: no product of a column and a row, so
/// that nobody may take a short cut.
inline Filter unseparable(std::size_t side) {
    Filter filter{side, side, std::vector<float>(side * side)};
    for (std::size_t i = 0; i < filter.weights.size(); ++i)
        filter.weights[i] = 1 / static_cast<float>(1 + i * i % 97);
    return filter;
}

} // namespace bowhist

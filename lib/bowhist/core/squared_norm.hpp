#pragma once

#include <span>

namespace bowhist {

/// The sum of the values' squares, each exact, added up in order in float64.
inline double squared_norm(std::span<const float> values) {
    double sum = 0;
    for (const float value : values) sum += double{value} * double{value};
    return sum;
}

} // namespace bowhist

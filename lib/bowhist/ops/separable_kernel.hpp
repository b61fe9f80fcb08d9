#pragma once

#include <bowhist/core/filter.hpp>

#include <optional>

namespace bowhist {

/// A filter that is a column times a row: weights[j * width + i] = down[j] * across[i]. One pass
/// over the rows and one over the columns then do the work of both dimensions at once.
struct SeparableFilter {
    std::vector<float> across; ///< an odd number of weights, for a pixel's neighbors in its row
    std::vector<float> down;   ///< the same, in its column
};

/// @throws Error{Fault::usage} with fault_of the filter, when it has one
void check_filter(const Filter &filter);

/// The row and the column whose product the filter is, if each weight is to float32's accuracy;
/// nothing when it is not separable.
std::optional<SeparableFilter> factors(const Filter &filter);

/// The filter that `factors` takes apart.
Filter product(const SeparableFilter &factors);

} // namespace bowhist

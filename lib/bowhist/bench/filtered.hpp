#pragma once

#include <bowhist/core/border.hpp>
#include <bowhist/core/filter.hpp>

#include <vector>

namespace bowhist {

/// The reference that convolutions are held to: square pictures of `side` pixels, end to end,
/// filtered as Filter says, summed in float64 and rounded once, on all cores. The filter may be of
/// any odd size; the border is no zeros.
std::vector<float> filtered(const std::vector<float> &pixels, std::size_t side,
                            const Filter &filter, Border border);

} // namespace bowhist

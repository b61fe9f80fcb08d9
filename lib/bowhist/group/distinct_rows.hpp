#pragma once

#include <bowhist/core/integer_rows.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// Rows without their copies, in the order of their first.
struct DistinctRows {
    IntegerRows rows;
    std::vector<std::uint32_t> of_row; ///< where each of the original rows is among them
    std::vector<double> counts;        ///< how often each occurs
};

DistinctRows distinct_rows(const IntegerRows &rows);

} // namespace bowhist

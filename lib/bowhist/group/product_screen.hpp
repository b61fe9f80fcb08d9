#pragma once

#include <bowhist/group/packed_rows.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// Two rows that may be neighbors.
struct Hit {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    std::int32_t product = 0;
};

/// A block of rows, and those that are compared with them.
struct Strip {
    std::size_t first_block = 0; ///< of the rows
    std::size_t end_block = 0;
    std::size_t column_block = 0;
    const float *row_limits = nullptr;    ///< of the likeness, for each row
    const float *column_limits = nullptr; ///< for each column
};

/// A likeness in floats differs from the true one by at most this part of it: the product, the two
/// inverse norms (each within 2⁻²⁴ and a little) and two multiplications round, 5·2⁻²⁴ together.
inline constexpr double likeness_error = 0x1p-21;

/// Finds the pairs of a strip whose likeness, in floats, reaches the row's or the column's limit.
/// Their products are exact. Rows that only fill up a block are not left out.
using ScreenProducts = void (*)(const PackedRows &rows, const Strip &strip, std::vector<Hit> &hits);

/// The screen for the vector units at hand.
ScreenProducts product_screen();

} // namespace bowhist

#pragma once

#include <bowhist/core/cells.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bowhist {

/// The numbers that a device adds up of an image's rows (cl/encode/tally_rows.cl): for each cell of
/// the grids k counts of words and, for codes, k×D sums.
struct TallyShape {
    CellGrids grids = whole_image;
    std::size_t words = 0;            ///< k
    std::size_t dimensions = 0;       ///< D, of the rows
    std::optional<int> exponent = {}; ///< of VladEncoder; nothing: counts alone
    std::size_t rows_each = 1;        ///< of a descriptor: 2 with mirrored ones

    std::size_t nearest = 1; ///< words of a row: the nearest counts so much, the last 1

    /// The amount that a descriptor adds to the counts of a grid.
    std::size_t counts_each() const { return rows_each * nearest * (nearest + 1) / 2; }
    /// Numbers of 32 bits in a cell.
    std::size_t cell_size() const { return words * (1 + (exponent ? 2 * dimensions : 0)); }
    /// Numbers of 32 bits in an image's tally.
    std::size_t size() const { return cell_count(grids) * cell_size(); }
};

/// Each sum holds so much more for each of its rows.
inline constexpr std::int64_t tally_bias = std::int64_t{1} << 26;

/// How often each word is in an image, which is all cells of a grid.
std::vector<std::uint32_t> words_in(const TallyShape &shape, std::span<const std::uint32_t> tally);

} // namespace bowhist

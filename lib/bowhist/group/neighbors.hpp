#pragma once

#include <bowhist/core/integer_rows.hpp>
#include <bowhist/core/observer.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bowhist {

/// A row that is like another.
struct Neighbor {
    std::uint32_t row = 0;
    std::int32_t product = 0; ///< with the row whose neighbor it is

    bool operator==(const Neighbor &) const = default;
};

/// The nearest others of each row, the most alike first.
struct Neighbors {
    std::vector<std::size_t> starts = {0}; ///< size() + 1: where each row's list starts in `all`
    std::vector<Neighbor> all = {};
    std::vector<std::int32_t> squared_norms = {}; ///< of each row

    std::size_t size() const { return squared_norms.size(); }
    std::span<const Neighbor> of(std::size_t row) const {
        return std::span(all).subspan(starts[row], starts[row + 1] - starts[row]);
    }
};

/// Finds each row's `most` nearest others: those of the largest likeness, product/√(norm²·norm²),
/// compared exactly; of equal ones the row of the lower index is nearer. Rows of zeros have no
/// neighbors and are not neighbors. Every other row has `most`, or all others where there are
/// fewer.
///
/// All pairs are looked at: takes time in proportion to n²·D, on all threads, and 2·D + 8·(most +
/// 2) bytes for each row. Reports progress as "neighbors". The same on every machine.
/// @param rows  fewer than 2³² of them
/// @throws Error{Fault::interrupted}
Neighbors nearest_neighbors(const IntegerRows &rows, std::size_t most, Observer &observer);

/// Something that finds the same, wherever it does.
using FindNeighbors =
    std::function<Neighbors(const IntegerRows &rows, std::size_t most, Observer &observer)>;

/// Each row's product with itself.
std::vector<std::int32_t> squared_norms(const IntegerRows &rows);

} // namespace bowhist

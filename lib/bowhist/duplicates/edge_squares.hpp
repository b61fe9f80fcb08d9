#pragma once

#include <bowhist/duplicates/own_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bowhist {

/// How many edges an image begins in each square of the overlay.
class EdgeSquares {
  public:
    explicit EdgeSquares(const Overlay &overlay)
        : columns_(overlay.width / side + 1), rows_(overlay.height / side + 1),
          counts_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}
    void add(int x, int y) { ++counts_[number(x / side, y / side)]; }

    /// Squares with edges here, and none of the other image's in them or beside them.
    Box without(const EdgeSquares &other) const {
        Box box;
        for (int row = 0; row < rows_; ++row)
            for (int column = 0; column < columns_; ++column) {
                if (counts_[number(column, row)] == 0 || other.around(column, row)) continue;
                box.add(column * side, row * side);
                box.add(column * side + side - 1, row * side + side - 1);
            }
        return box;
    }

  private:
    static constexpr int side = 12; ///< pixels

    std::size_t number(int column, int row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
               static_cast<std::size_t>(column);
    }
    bool around(int column, int row) const {
        for (int v = std::max(0, row - 1); v <= std::min(rows_ - 1, row + 1); ++v)
            for (int u = std::max(0, column - 1); u <= std::min(columns_ - 1, column + 1); ++u)
                if (counts_[number(u, v)] > 0) return true;
        return false;
    }

    int columns_, rows_;
    std::vector<std::size_t> counts_;
};

} // namespace bowhist

#pragma once

#include <bowhist/core/descriptors.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// An image divided into cells of one size, `across` × `down` of them.
struct CellGrid {
    std::size_t across = 1;
    std::size_t down = 1;

    std::size_t size() const { return across * down; }
    /// The cell in which a keypoint lies, row by row from the upper left. A keypoint outside of the
    /// image belongs to the nearest cell.
    /// @param width, height  of the image, pixels
    std::size_t cell_of(const Keypoint &keypoint, int width, int height) const;

    bool operator==(const CellGrid &) const = default;
};

/// The grids of a spatial pyramid (Lazebnik, Schmid, Ponce 2006).
using CellGrids = std::vector<CellGrid>;

/// A single cell.
inline const CellGrids whole_image{{1, 1}};

/// "1x1,2x2,3x1": across × down, with commas; the last has three columns.
/// @throws Error{Fault::usage} for anything else, and for more than 1024 cells
CellGrids parse_cells(std::string_view text);
std::string as_text(const CellGrids &grids);

/// Cells of all grids together.
std::size_t cell_count(const CellGrids &grids);

} // namespace bowhist

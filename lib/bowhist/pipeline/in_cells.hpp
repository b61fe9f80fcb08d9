#pragma once

#include <bowhist/core/cells.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace bowhist {

/// Rows of images are made for each cell of all grids, and laid end to end: one grid's after
/// another's, cells row by row from the upper left. A descriptor belongs to one cell of each grid.

/// Numbers in the row of an image.
/// @param each   of a cell
/// @param codes  rows are codes, whose products have to fit 32 bits
/// @throws Error{Fault::usage} for more than 2^24, of codes longest_code
std::size_t numbers_in(const CellGrids &grids, std::size_t each, bool codes = false);

/// "vlad 1x1,2x2"; for whole_image the encoding alone.
std::string as_encoding(std::string name, const CellGrids &grids);

/// Skips images whose descriptors have no known place, if a grid has several cells.
/// @param options  its `prepare` still comes first
void require_places(const CellGrids &grids, StreamOptions &options);

/// The cell of each of an image's `count` descriptors. REQUIRES: its places are known, or the grid
/// is a single cell
std::vector<std::size_t> cells_of(const Described &described, const CellGrid &grid,
                                  std::size_t count);

} // namespace bowhist

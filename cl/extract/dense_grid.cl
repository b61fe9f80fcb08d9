// dense_grid: where a patch has its cells.

#include "extract_launch.h"
#include "find_part.cl"

/// A cell of a patch: four floats.
float4 cell_at(global const float4 *cells, const DenseGrid grid, const int patch, const int cell)
{
    const int row = cell_of(grid.down, patch / grid.across.patches, cell / PATCH_CELLS);
    const int column = cell_of(grid.across, patch % grid.across.patches, cell % PATCH_CELLS);
    return cells[grid.first_cell + (size_t)row * grid.across.cells + column];
}

// dense_describe: the patches that are kept, scaled to unit length, one behind another.
//
// Sixteen work-items a patch, one a cell, so that a descriptor is written in one go. The root is
// Newton's, of operations that round alike everywhere: descriptors are the same bit for bit.

#pragma OPENCL FP_CONTRACT OFF

#include "dense_grid.cl"
#include "rounded.h"

/// @param first_patches  of each grid, among the patches of this size
/// @param places         of each patch of the launch among those that are kept
/// @param most           descriptors that there is room for
kernel __attribute__((reqd_work_group_size(DENSE_DESCRIBE_GROUP, 1, 1)))
void describe(global const float4 *cells, global const DenseGrid *grids,
              global const uint *first_patches, const uint count, const uint patches,
              global const float *squares, global const uint *kept,
              global const uint *places, global float4 *descriptors, global uint *image,
              global uint *kept_patches, const uint all_patches, const uint most)
{
    if (get_global_id(0) == 0) *kept_patches = min(places[all_patches], most);
    const uint own = get_global_id(0) / (PATCH_CELLS * PATCH_CELLS);
    const int cell = get_global_id(0) % (PATCH_CELLS * PATCH_CELLS);
    if (own >= patches) return;
    const uint part = find_part(first_patches, count, own);
    const DenseGrid grid = grids[part];
    const int patch = own - first_patches[part];
    const uint number = grid.first_patch + patch;
    if (kept[number] == 0) return;
    const size_t place = places[number];
    if (place >= most) return;
    const float factor = inverse_root(squares[number]);
    descriptors[place * PATCH_CELLS * PATCH_CELLS + cell] = cell_at(cells, grid, patch, cell) * factor;
    if (cell == 0) image[place] = grid.bag;
}

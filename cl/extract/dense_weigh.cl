// dense_weigh: the sum of a patch's squares, its response, and whether the patch is kept.
//
// The squares are added in one order everywhere: cells pairwise, neighbors first, then the four
// channels; each operation is rounded on its own. So hosts and devices keep the same patches.

#include "dense_grid.cl"

#pragma OPENCL FP_CONTRACT OFF

/// @param unit  makes sums of squares the squares of contrasts
kernel __attribute__((reqd_work_group_size(DENSE_DESCRIBE_GROUP, 1, 1)))
void weigh(global const float4 *cells, global const DenseGrid *grids,
           global const uint *first_patches, const uint count, const uint patches,
           const float least, const float unit, global float *squares,
           global float *responses, global uint *kept)
{
    const uint own = get_global_id(0);
    if (own >= patches) return;
    const uint part = find_part(first_patches, count, own);
    const DenseGrid grid = grids[part];
    const int patch = own - first_patches[part];
    float4 sums[PATCH_CELLS * PATCH_CELLS];
#pragma unroll
    for (int i = 0; i < PATCH_CELLS * PATCH_CELLS; i++) {
        const float4 cell = cell_at(cells, grid, patch, i);
        sums[i] = cell * cell;
    }
#pragma unroll
    for (int apart = 1; apart < PATCH_CELLS * PATCH_CELLS; apart *= 2)
#pragma unroll
        for (int i = 0; i < PATCH_CELLS * PATCH_CELLS; i += 2 * apart) sums[i] = sums[i] + sums[i + apart];
    const float sum = (sums[0].x + sums[0].y) + (sums[0].z + sums[0].w);
    squares[grid.first_patch + patch] = sum;
    responses[grid.first_patch + patch] = sum * unit;
    kept[grid.first_patch + patch] = sum >= least;
}

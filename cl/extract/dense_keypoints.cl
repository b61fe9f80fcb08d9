// dense_keypoints: where the patches lie that are kept, and their contrasts.

#pragma OPENCL FP_CONTRACT OFF

#include "dense_grid.cl"
#include "exact_root.cl"
#include "launch_keypoint.h"

/// The middle of a patch along an axis.
float middle_of_patch(const GridAxis axis, const int patch)
{
    const int first = axis.first - axis.cell / 2 + patch * axis.step;
    return (float)first + 0.5f * (float)(PATCH_CELLS * axis.cell - 1);
}

/// @param first_patches  of each grid, among the patches of this size
/// @param scale          of patches of this size
/// @param responses      squares of contrasts
/// @param places         of each patch of the launch among those that are kept
/// @param most           descriptors that there is room for
kernel __attribute__((reqd_work_group_size(DENSE_DESCRIBE_GROUP, 1, 1)))
void locate(global const DenseGrid *grids, global const uint *first_patches, const uint count,
            const uint patches, const float scale, global const float *responses,
            global const uint *kept, global const uint *places, const uint most,
            global LaunchKeypoint *keypoints)
{
    const uint own = get_global_id(0);
    if (own >= patches) return;
    const uint part = find_part(first_patches, count, own);
    const DenseGrid grid = grids[part];
    const int patch = own - first_patches[part];
    const uint number = grid.first_patch + patch;
    if (kept[number] == 0) return;
    const size_t place = places[number];
    if (place >= most) return;
    LaunchKeypoint keypoint;
    keypoint.x = middle_of_patch(grid.across, patch % grid.across.patches);
    keypoint.y = middle_of_patch(grid.down, patch / grid.across.patches);
    keypoint.scale = scale;
    keypoint.orientation = 0;
    keypoint.response = exact_root(responses[number]);
    keypoints[place] = keypoint;
}

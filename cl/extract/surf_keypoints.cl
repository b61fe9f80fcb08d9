// surf_keypoints: keypoints in the pixels of their image. Their orientations, which surf_describe.cl finds
// and keeps to itself, are left 0.

#include "launch_keypoint.h"
#include "surf_launch.h"

/// @param octaves  levels of an image: each one's pixels are twice as large as those of the one before
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void locate(global const SurfKeypoint *found, global const uint *count, const uint octaves,
            global LaunchKeypoint *keypoints)
{
    const size_t number = get_global_id(0);
    if (number >= *count) return;
    const SurfKeypoint one = found[number];
    const float pixel = (float)(1u << one.level % octaves);
    LaunchKeypoint keypoint;
    keypoint.x = one.x * pixel;
    keypoint.y = one.y * pixel;
    keypoint.scale = one.scale * pixel;
    keypoint.orientation = 0;
    keypoint.response = one.response;
    keypoints[number] = keypoint;
}

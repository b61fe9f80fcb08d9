// surf_strongest: responses of all keypoints, for strongest.cl; their cells, for spread.cl; and the
// keypoints that stay.

#pragma OPENCL FP_CONTRACT OFF

#include "surf_launch.h"

/// @param count       of keypoints
/// @param room        for keypoints
/// @param places      of each word's first keypoint
/// @param last_words  behind each image's
/// @param ends        of each image's keypoints
/// @param kept        1 for each keypoint; 0 behind them, where the scan ends
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void list(global const SurfKeypoint *keypoints, global const uint *count, const uint room,
          global const uint *places, global const uint *last_words, const uint images,
          global uint *ends, global float *responses, global uint *kept)
{
    const uint number = get_global_id(0);
    const uint all = *count;
    if (number < images) ends[number] = min(places[last_words[number]], all);
    if (number < all) responses[number] = keypoints[number].response;
    if (number <= room) kept[number] = number < all;
}

/// @param count   of keypoints
/// @param levels  image by image, octave by octave
/// @param side    cells along each side of the grid
/// @param cells   of the keypoints
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void list_cells(global const SurfKeypoint *keypoints, global const uint *count,
                global const SurfLevel *levels, const uint octaves, const int side,
                global uchar *cells)
{
    const uint number = get_global_id(0);
    if (number >= *count) return;
    const SurfKeypoint keypoint = keypoints[number];
    const uint octave = keypoint.level % octaves;
    const SurfLevel image = levels[keypoint.level - octave]; // the first octave's has its size
    const float pixel = (float)(1 << octave);
    cells[number] = spread_cell(keypoint.x * pixel, keypoint.y * pixel, image.width, image.height, side);
}

/// @param places  of those that stay; behind them, how many there are
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void gather(global const SurfKeypoint *keypoints, global const uint *kept,
            global const uint *places, const uint room, global SurfKeypoint *strongest,
            global uint *count)
{
    const uint number = get_global_id(0);
    if (number == 0) *count = places[room];
    if (number < room && kept[number] != 0) strongest[places[number]] = keypoints[number];
}

// surf_integral: sums of an octave's images, in quarters of grey values: along rows, down columns.

#include "find_part.cl"
#include "surf_launch.h"

/// A group sums up a row, SURF_GROUP pixels at a time.
///
/// @param levels  of all octaves, image by image
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void sum_along_rows(global const short *greys, global const LaunchImage *images,
                    global const uint *first_rows, const uint count,
                    global const SurfLevel *levels, const uint octaves, const uint octave,
                    global uint *sums)
{
    local uint parts[2][SURF_GROUP];
    const uint number = find_part(first_rows, count, get_group_id(0));
    const LaunchImage image = images[number];
    const uint y = get_group_id(0) - first_rows[number];
    greys += image.pixels + (size_t)y * image.width;
    sums += levels[number * octaves + octave].sums + (size_t)(y + 1) * (image.width + 1);
    const int own = get_local_id(0);
    if (own == 0) sums[0] = 0;
    uint before = 0;
    for (int first = 0; first < image.width; first += SURF_GROUP) {
        const int x = first + own;
        int from = 0;
        parts[0][own] = x < image.width ? (greys[x] + 2) >> 2 : 0;
        for (int apart = 1; apart < SURF_GROUP; apart *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            parts[1 - from][own] =
                parts[from][own] + (own >= apart ? parts[from][own - apart] : 0);
            from = 1 - from;
        }
        if (x < image.width) sums[x + 1] = before + parts[from][own];
        barrier(CLK_LOCAL_MEM_FENCE);
        before += parts[from][SURF_GROUP - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

enum { AHEAD = 16 }; // rows that are read before the first is summed up

/// A work-item sums up a column, from a first row of zeros on.
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void sum_down_columns(global const uint *first_tiles, const uint count,
                      global const SurfLevel *levels, const uint octaves, const uint octave,
                      global uint *sums)
{
    const uint number = find_part(first_tiles, count, get_group_id(0));
    const SurfLevel level = levels[number * octaves + octave];
    const int pitch = level.width + 1;
    const int x = (get_group_id(0) - first_tiles[number]) * SURF_GROUP + get_local_id(0);
    if (x >= pitch) return;
    sums += level.sums + x;
    sums[0] = 0;
    uint sum = 0;
    for (int first = 1; first <= level.height; first += AHEAD) {
        uint ahead[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            ahead[i] = sums[(size_t)min(first + i, level.height) * pitch];
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            sum += ahead[i];
            if (first + i <= level.height) sums[(size_t)(first + i) * pitch] = sum;
        }
    }
}

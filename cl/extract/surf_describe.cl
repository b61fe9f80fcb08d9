// surf_describe: a keypoint's orientation, and sums of Haar responses around it.
//
// A group describes one keypoint after another. Sums are added in the host's order, each operation
// rounded on its own; those of an orientation are of whole numbers, which need none.
// -DTAPS: samples of a cell along an axis. -DSTEP: scales from one to the next.
// -DUPRIGHT: 1 to leave keypoints unturned.

#pragma OPENCL FP_CONTRACT OFF

#include "surf_launch.h"

#define SAMPLES (SURF_PITCH * (PATCH_CELLS - 1) + TAPS)

/// Right half less left and lower half less upper of a square, 2 half pixels a side, around the upper
/// left corner of a pixel; nothing where it leaves the level.
int2 haar(global const uint *sums, const SurfLevel level, const int x, const int y,
          const int half_side)
{
    if (x < half_side || y < half_side || x > level.width - half_side ||
        y > level.height - half_side)
        return 0;
    const int pitch = level.width + 1;
    global const uint *upper = sums + level.sums + (y - half_side) * pitch + x;
    global const uint *middle = upper + half_side * pitch;
    global const uint *lower = middle + half_side * pitch;
    const int falling = lower[half_side] - upper[-half_side];
    const int rising = upper[half_side] - lower[-half_side];
    const int down = lower[0] - upper[0];
    const int across = middle[half_side] - middle[-half_side];
    return (int2)(falling - rising - 2 * down, falling + rising - 2 * across);
}

/// The same, each zero positive: Mesa folds 0 + x, and keeps the sign of a sum that IEEE 754 makes +0.
float4 with_positive_zeros(const float4 values)
{
    return as_float4(as_int4(values) & (values != 0));
}

float square_of(const int2 sum)
{
    return (float)sum.x * (float)sum.x + (float)sum.y * (float)sum.y;
}

/// A group's items share this to find an orientation. For each sector: its vector sum, that of the
/// three sectors from it on, and that of the window from it on.
typedef struct {
    int along[SURF_SECTORS];
    int down[SURF_SECTORS];
    int2 threes[SURF_SECTORS];
    int2 windows[SURF_SECTORS];
    uint longest;
    uint first;
} Sectors;

/// The direction of the longest vector sum under a window of 60 degrees that slides over the circle.
float2 orientation(global const uint *sums, const SurfLevel level, const SurfKeypoint keypoint,
                   global const float *circle, local Sectors *sectors)
{
    const int item = get_local_id(0);
    const int scale = (int)floor(keypoint.scale + 0.5f);
    const int x = (int)floor(keypoint.x + 1.0f);
    const int y = (int)floor(keypoint.y + 1.0f);
    const float unit = 256.0f * reciprocal((float)(4 * scale * scale));
    for (int i = item; i < SURF_SECTORS; i += SURF_DESCRIBE_GROUP) sectors->along[i] = sectors->down[i] = 0;
    if (item == 0) {
        sectors->longest = 0;
        sectors->first = SURF_SECTORS;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < SURF_CIRCLE_SIDE * SURF_CIRCLE_SIDE; i += SURF_DESCRIBE_GROUP) {
        if (circle[i] == 0) continue;
        const int2 found = haar(sums, level, x + (i % SURF_CIRCLE_SIDE - SURF_CIRCLE_SIDE / 2) * scale,
                                y + (i / SURF_CIRCLE_SIDE - SURF_CIRCLE_SIDE / 2) * scale, 2 * scale);
        const float weight = circle[i] * unit;
        const float dx = floor((float)found.x * weight + 0.5f);
        const float dy = floor((float)found.y * weight + 0.5f);
        const int sector = sector_of(dx, dy);
        atomic_add(&sectors->along[sector], (int)dx);
        atomic_add(&sectors->down[sector], (int)dy);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < SURF_SECTORS; i += SURF_DESCRIBE_GROUP) {
        const int next = (i + 1) % SURF_SECTORS;
        const int last = (i + 2) % SURF_SECTORS;
        sectors->threes[i] =
            (int2)(sectors->along[i] + sectors->along[next] + sectors->along[last],
                   sectors->down[i] + sectors->down[next] + sectors->down[last]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < SURF_SECTORS; i += SURF_DESCRIBE_GROUP) {
        int2 sum = 0;
        for (int three = 0; three < SURF_WINDOW; three += 3)
            sum += sectors->threes[(i + three) % SURF_SECTORS];
        sectors->windows[i] = sum;
        atomic_max(&sectors->longest, as_uint(square_of(sum))); // positive floats rank as their bits do
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < SURF_SECTORS; i += SURF_DESCRIBE_GROUP)
        if (as_uint(square_of(sectors->windows[i])) == sectors->longest)
            atomic_min(&sectors->first, (uint)i);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (sectors->longest == 0) return (float2)(1, 0);
    return convert_float2(sectors->windows[sectors->first]) * inverse_root(as_float(sectors->longest));
}

kernel __attribute__((reqd_work_group_size(SURF_DESCRIBE_GROUP, 1, 1)))
void describe(global const uint *sums, global const SurfLevel *levels,
              global const SurfKeypoint *keypoints, global const uint *count,
              global const float *weights, global const float *circle,
              global float4 *descriptors, global uint *image)
{
    local Sectors sectors;
    local float2 responses[SURF_MOST_SAMPLES * SURF_MOST_SAMPLES];
    local float4 columns[PATCH_CELLS][SURF_MOST_SAMPLES];
    local float4 cells[PATCH_CELLS * PATCH_CELLS];
    const int item = get_local_id(0);
    for (uint number = get_group_id(0); number < *count; number += get_num_groups(0)) {
        const SurfKeypoint keypoint = keypoints[number];
        const SurfLevel level = levels[keypoint.level];
        if (item == 0) image[number] = level.image;
        const float2 turned =
            UPRIGHT ? (float2)(1, 0)
                    : orientation(sums, level, keypoint, circle, &sectors);

        const int half_side = max(1, (int)floor(keypoint.scale + 0.5f));
        const float2 axis = (STEP * keypoint.scale) * turned;
        for (int i = item; i < SAMPLES * SAMPLES; i += SURF_DESCRIBE_GROUP) {
            const float across = (float)(i % SAMPLES) + (0.5f - 0.5f * (float)SAMPLES);
            const float below = (float)(i / SAMPLES) + (0.5f - 0.5f * (float)SAMPLES);
            const float x = ((keypoint.x + 1.0f) - axis.y * below) + across * axis.x;
            const float y = ((keypoint.y + 1.0f) + axis.x * below) + across * axis.y;
            const float2 found = convert_float2(
                haar(sums, level, (int)floor(x), (int)floor(y), half_side));
            responses[i] = (float2)(turned.x * found.x + turned.y * found.y,
                                    turned.x * found.y - turned.y * found.x);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < PATCH_CELLS * SAMPLES; i += SURF_DESCRIBE_GROUP) {
            const int cell = i / SAMPLES;
            float4 sum = 0;
            for (int tap = 0; tap < TAPS; tap++) {
                const float2 one = responses[(cell * SURF_PITCH + tap) * SAMPLES + i % SAMPLES];
                sum = sum + weights[cell * TAPS + tap] *
                                (float4)(one.x, fabs(one.x), one.y, fabs(one.y));
            }
            columns[cell][i % SAMPLES] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < PATCH_CELLS * PATCH_CELLS) {
            const int cell = item % PATCH_CELLS;
            float4 sum = 0;
            for (int tap = 0; tap < TAPS; tap++)
                sum = sum + weights[cell * TAPS + tap] * columns[item / PATCH_CELLS][cell * SURF_PITCH + tap];
            cells[item] = with_positive_zeros((float4)(compressed(sum.x), compressed(sum.y),
                                                       compressed(sum.z), compressed(sum.w)));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < PATCH_CELLS * PATCH_CELLS) {
            float4 squares[PATCH_CELLS * PATCH_CELLS];
#pragma unroll
            for (int i = 0; i < PATCH_CELLS * PATCH_CELLS; i++) squares[i] = cells[i] * cells[i];
#pragma unroll
            for (int apart = 1; apart < PATCH_CELLS * PATCH_CELLS; apart *= 2)
#pragma unroll
                for (int i = 0; i < PATCH_CELLS * PATCH_CELLS; i += 2 * apart)
                    squares[i] = squares[i] + squares[i + apart];
            const float sum = (squares[0].x + squares[0].y) + (squares[0].z + squares[0].w);
            descriptors[(size_t)number * PATCH_CELLS * PATCH_CELLS + item] = cells[item] * inverse_root(sum);
        }
    }
}

// surf_refine: moves keypoints to maxima of Gaussian derivatives' determinants, or weakens them.
//
// A group moves one keypoint after another. Sums are added in the host's order.

#pragma OPENCL FP_CONTRACT OFF

#include "surf_launch.h"
#include "surf_refine.h"

kernel __attribute__((reqd_work_group_size(SURF_DESCRIBE_GROUP, 1, 1)))
void refine(global const uint *sums, global const SurfLevel *levels, global const uint *count,
            global SurfKeypoint *keypoints)
{
    local float greys[REFINE_SIDE][REFINE_SIDE];
    local float values[3][REFINE_SIDE]; // of three rows: a Gaussian, applied down the columns
    local float slopes[3][REFINE_SIDE]; // its first derivative
    local float bends[3][REFINE_SIDE];  // its second
    local float determinants[9];
    const int item = get_local_id(0);
    for (uint number = get_group_id(0); number < *count; number += get_num_groups(0)) {
        const SurfKeypoint keypoint = keypoints[number];
        const SurfLevel level = levels[keypoint.level];
        const SurfSquares squares = squares_around(keypoint.x, keypoint.y, keypoint.scale);
        const bool fits = squares_fit(squares, level.width, level.height);
        const int side = squares.side;
        const size_t pitch = level.width + 1;
        for (int i = item; i < REFINE_SIDE * REFINE_SIDE; i += SURF_DESCRIBE_GROUP) {
            const int across = i % REFINE_SIDE;
            const int down = i / REFINE_SIDE;
            global const uint *upper = sums + level.sums + (squares.top + down * side) * pitch +
                                       squares.left + across * side;
            global const uint *lower = upper + side * pitch;
            greys[down][across] =
                fits ? (float)((lower[side] - lower[0]) - (upper[side] - upper[0])) : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < 3 * REFINE_SIDE) {
            const int across = item % REFINE_SIDE;
            const int row = item / REFINE_SIDE;
            const float middle = greys[row + REFINE_TAPS][across];
            float value = middle;
            float slope = 0;
            float bend = squares.bends[0] * middle;
#pragma unroll
            for (int i = 1; i <= REFINE_TAPS; i++) {
                const float below = greys[row + REFINE_TAPS + i][across];
                const float above = greys[row + REFINE_TAPS - i][across];
                value = value + squares.values[i] * (below + above);
                slope = slope + squares.slopes[i] * (below - above);
                bend = bend + squares.bends[i] * (below + above);
            }
            values[row][across] = value;
            slopes[row][across] = slope;
            bends[row][across] = bend;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < 9) {
            const int row = item / 3;
            const int middle = item % 3 + REFINE_TAPS;
            float xx = squares.bends[0] * values[row][middle];
            float xy = 0;
            float yy = bends[row][middle];
#pragma unroll
            for (int i = 1; i <= REFINE_TAPS; i++) {
                const int right = middle + i;
                const int left = middle - i;
                xx = xx + squares.bends[i] * (values[row][right] + values[row][left]);
                xy = xy + squares.slopes[i] * (slopes[row][right] - slopes[row][left]);
                yy = yy + squares.values[i] * (bends[row][right] + bends[row][left]);
            }
            determinants[item] = xx * yy - xy * xy;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // all have read the keypoint
        if (item == 0) {
            float v[9];
            for (int i = 0; i < 9; i++) v[i] = determinants[i];
            const SurfTop top = fit_top(v);
            if (top.near) {
                keypoints[number].x = place_of(top.x, squares.left, side);
                keypoints[number].y = place_of(top.y, squares.top, side);
            } else if (fits) {
                keypoints[number].response = unconfirmed(keypoint.response);
            }
        }
    }
}

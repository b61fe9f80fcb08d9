// prepare_project: rows less their mean, times the projection, added up input by input.
//
// A work-item makes one component of some rows: what it reads of the projection serves all of them. Each
// operation is rounded on its own, in the host's order.

#pragma OPENCL FP_CONTRACT OFF

#include "prepare_launch.h"

/// @param size  of a row
/// @param projection  size x components
kernel void project(global const float *rows, const uint size, global const float *mean,
                    global const float *projection, const uint components,
                    global const uint *count, const uint pitch, global float *projected)
{
    const uint n = *count;
    const size_t first = get_global_id(0) / components * PROJECT_ROWS;
    const uint component = get_global_id(0) % components;
    if (first >= n) return;
    global const float *row[PROJECT_ROWS];
    float sums[PROJECT_ROWS];
#pragma unroll
    for (int r = 0; r < PROJECT_ROWS; r++) {
        row[r] = rows + min(first + r, (size_t)(n - 1)) * size;
        sums[r] = 0;
    }
    for (uint i = 0; i < size; i++) {
        const float weight = projection[i * components + component];
        const float middle = mean[i];
#pragma unroll
        for (int r = 0; r < PROJECT_ROWS; r++) sums[r] = sums[r] + (row[r][i] - middle) * weight;
    }
#pragma unroll
    for (int r = 0; r < PROJECT_ROWS; r++)
        if (first + r < n) // Mesa folds 0 + x: no sum that starts with 0 is a negative zero
            projected[(first + r) * pitch + component] = sums[r] == 0 ? 0.0f : sums[r];
}

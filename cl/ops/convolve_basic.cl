// convolve_basic: one work-item a pixel; pixels and weights both come from global memory.
//
// FILTER_WIDTH x FILTER_HEIGHT weights, odd, not flipped (docs/operations/convolve.md).

#ifndef WEIGHTS
#define WEIGHTS global const // where they lie
#endif

#include "pictures.cl"

kernel void convolve(global const float *restrict in, global float *restrict out,
                     const ImageLayout images, WEIGHTS float *restrict filter)
{
    const int x = get_global_id(0);
    const int row = get_global_id(1);
    if (x >= images.width || row >= images.rows) return;
    const int y = row % images.height;
    global const float *image = in + (size_t)(row - y) * images.in_pitch;

    float sum = 0;
    for (int j = 0; j < FILTER_HEIGHT; j++) {
        float row_sum = 0; // short sums round less than a long one
        for (int i = 0; i < FILTER_WIDTH; i++)
            row_sum += filter[j * FILTER_WIDTH + i] *
                       pixel_at(image, images, x + i - RADIUS_X, y + j - RADIUS_Y);
        sum += row_sum;
    }
    out[(size_t)row * images.out_pitch + x] = sum;
}

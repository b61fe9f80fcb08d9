// convolve_separable: rows and columns in one go; nothing between the two goes through memory.
//
// As convolve_sliding, but a row's window is weighed once, and the result goes into all
// FILTER_HEIGHT sums of its columns: FILTER_WIDTH + FILTER_HEIGHT multiplications a pixel. The
// weights are the kernel's arguments: no memory is asked for them.

#include "convolve_window.cl"

#define WEIGH(i)                                                                                   \
    if (i < FILTER_WIDTH) weighed += across.at[i] * neighbors(window, row, x, inside, i);
#define ADD(j)                                                                                     \
    if (j + 1 < FILTER_HEIGHT) sums[j] = sums[j + 1] + down.at[FILTER_HEIGHT - 1 - j] * weighed;

kernel __attribute__((reqd_work_group_size(GROUP_WIDTH, GROUP_HEIGHT, 1)))
void convolve(global const float *restrict in, global float *restrict out, const ImageLayout images,
              const Weights across, const Weights down)
{
    const Strip strip = own_strip(images);
    const int x = strip.x;
    if (x >= images.width || strip.first_row >= images.rows) return;
    const bool inside = window_inside(x, images.width);
    global const float *image = in + (size_t)strip.first_row * images.in_pitch;

    Lanes sums[FILTER_HEIGHT]; // of output rows y - RADIUS_Y … y + RADIUS_Y
#pragma unroll
    for (int j = 0; j < FILTER_HEIGHT; j++) sums[j] = 0;
    for (int y = strip.top - RADIUS_Y; y < strip.bottom + RADIUS_Y; y++) {
        global const float *row = row_at(image, images, y);
        float window[WINDOW];
        load_window(window, row, x, images.width, inside);
        Lanes weighed = 0;
        FOR_31(WEIGH)
        if (within(y, images.height) < 0) weighed = 0;
        FOR_31(ADD)
        sums[FILTER_HEIGHT - 1] = down.at[0] * weighed;
        if (y >= strip.top + RADIUS_Y)
            store_lanes(out + (size_t)(strip.first_row + y - RADIUS_Y) * images.out_pitch, sums[0], x,
                        images.out_pitch);
    }
}

// convolve_sliding: a work-item slides down LANES columns and keeps every sum in registers.
//
// No local memory and no barrier. A row's window is loaded once and added, each weight's row its
// own way, to all FILTER_HEIGHT sums that it is part of; the oldest sum is then complete and all
// move up. A work-item makes STRIP rows, and reads 2 * RADIUS_Y more.

#include "convolve_window.cl"

kernel __attribute__((reqd_work_group_size(GROUP_WIDTH, GROUP_HEIGHT, 1)))
void convolve(global const float *restrict in, global float *restrict out, const Pictures pictures,
              constant float *filter)
{
    const int x = get_global_id(0) * LANES;
    const int strips = (pictures.height + STRIP - 1) / STRIP;
    const int first_row = get_global_id(1) / strips * pictures.height; // of this picture
    const int top = get_global_id(1) % strips * STRIP;
    if (x >= pictures.width || first_row >= pictures.rows) return;
    const int bottom = min(top + STRIP, pictures.height);
    const bool inside = window_inside(x, pictures.width);
    global const float *picture = in + (size_t)first_row * pictures.in_pitch;

    Lanes sums[FILTER_HEIGHT]; // of output rows y - RADIUS_Y … y + RADIUS_Y
#pragma unroll
    for (int j = 0; j < FILTER_HEIGHT; j++) sums[j] = 0;
    for (int y = top - RADIUS_Y; y < bottom + RADIUS_Y; y++) {
#pragma unroll
        for (int j = 0; j + 1 < FILTER_HEIGHT; j++) sums[j] = sums[j + 1];
        sums[FILTER_HEIGHT - 1] = 0;
        if (within(y, pictures.height) >= 0) {
            global const float *row = row_at(picture, pictures, y);
            float window[WINDOW];
            load_window(window, row, x, pictures.width, inside);
#if !DIRECT
#pragma unroll
#endif
            for (int i = 0; i < FILTER_WIDTH; i++) {
                const Lanes pixels = neighbours(window, row, x, inside, i);
#pragma unroll
                for (int j = 0; j < FILTER_HEIGHT; j++)
                    sums[j] += filter[(FILTER_HEIGHT - 1 - j) * FILTER_WIDTH + i] * pixels;
            }
        }
        if (y >= top + RADIUS_Y)
            store_lanes(out + (size_t)(first_row + y - RADIUS_Y) * pictures.out_pitch, sums[0], x,
                        pictures.out_pitch);
    }
}

// convolve_sliding: a work-item slides down LANES columns and keeps every sum in registers.
//
// The oldest sum is complete after each row: it is written, and all others move up. A work-item makes
// STRIP rows, and reads 2 * RADIUS_Y more.

#include "convolve_window.cl"

#if DIRECT // rows of the filter weighed at once, much alike in number: they fill a CPU's multipliers
#define BLOCKS ((FILTER_HEIGHT + 11) / 12)
#define AT_ONCE ((FILTER_HEIGHT + BLOCKS - 1) / BLOCKS)
#else // a GPU fills its own with other work-items
#define AT_ONCE 1
#endif

/// Adds to every sum what its row of the filter makes of the window. That is added up by itself
/// first: short sums round less than a long one.
void add_window(private Lanes *sums, const private float *window, global const float *restrict row,
                const int x, const bool inside, constant float *filter)
{
#pragma unroll
    for (int first = 0; first < FILTER_HEIGHT; first += AT_ONCE) {
        const int count = min(AT_ONCE, FILTER_HEIGHT - first);
        Lanes row_sums[AT_ONCE] = {0};
#if !DIRECT
#pragma unroll
#endif
        for (int i = 0; i < FILTER_WIDTH; i++) {
            const Lanes pixels = neighbors(window, row, x, inside, i);
#pragma unroll
            for (int j = 0; j < AT_ONCE; j++)
                if (j < count)
                    row_sums[j] += filter[(FILTER_HEIGHT - 1 - first - j) * FILTER_WIDTH + i] * pixels;
        }
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++)
            if (j < count) sums[first + j] += row_sums[j];
    }
}

kernel __attribute__((reqd_work_group_size(GROUP_WIDTH, GROUP_HEIGHT, 1)))
void convolve(global const float *restrict in, global float *restrict out, const ImageLayout images,
              constant float *filter)
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
#pragma unroll
        for (int j = 0; j + 1 < FILTER_HEIGHT; j++) sums[j] = sums[j + 1];
        sums[FILTER_HEIGHT - 1] = 0;
        if (within(y, images.height) >= 0) {
            global const float *row = row_at(image, images, y);
            float window[WINDOW];
            load_window(window, row, x, images.width, inside);
            add_window(sums, window, row, x, inside, filter);
        }
        if (y >= strip.top + RADIUS_Y)
            store_lanes(out + (size_t)(strip.first_row + y - RADIUS_Y) * images.out_pitch, sums[0], x,
                        images.out_pitch);
    }
}

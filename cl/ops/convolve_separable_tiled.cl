// convolve_separable_tiled: columns in registers, then rows through local memory, in one go.
//
// A group makes OUT_WIDTH columns of STRIP rows, STEP rows at a time. Each of its WIDTH work-items
// walks down one column of the input, the halo's too, and keeps FILTER_HEIGHT sums. Complete sums go
// to two places of local memory in turn, so that a step needs one barrier.

#include "convolve_window.cl"

#define QUADS (OUT_WIDTH / LANES)
#define ROW_WINDOW ((LANES + 2 * RADIUS_X + LANES - 1) / LANES * LANES)
#define ADD(j)                                                                                     \
    if (j + 1 < FILTER_HEIGHT) sums[j] = sums[j + 1] + down.at[FILTER_HEIGHT - 1 - j] * pixels[i];
#define WEIGH(i)                                                                                   \
    if (i < FILTER_WIDTH) sum += across.at[i] * GATHER(window + i);

/// STEP pixels of a column, from row `first` on; where BORDER says zeros, `counts` is false or
/// there is no such row.
void load_column(private float *pixels, global const float *restrict column, const ImageLayout images,
                 const int first, const bool counts)
{
    if (first >= 0 && first + STEP <= images.height) {
#pragma unroll
        for (int i = 0; i < STEP; i++) pixels[i] = column[(size_t)(first + i) * images.in_pitch];
    } else {
#pragma unroll
        for (int i = 0; i < STEP; i++) {
            const int y = within(min(first + i, images.height + RADIUS_Y), images.height);
            pixels[i] = y < 0 ? 0 : column[(size_t)y * images.in_pitch];
        }
    }
#pragma unroll
    for (int i = 0; i < STEP; i++) pixels[i] = counts ? pixels[i] : 0;
}

kernel __attribute__((reqd_work_group_size(WIDTH, 1, 1)))
void convolve(global const float *restrict in, global float *restrict out, const ImageLayout images,
              const Weights across, const Weights down)
{
    local float weighed[2][STEP][WIDTH] __attribute__((aligned(16)));
    const int item = get_local_id(0);
    const int left = get_group_id(0) * OUT_WIDTH;
    const int strips = (images.height + STRIP - 1) / STRIP;
    const int first_row = get_group_id(1) / strips * images.height; // of this image
    const int top = get_group_id(1) % strips * STRIP;
    const int bottom = min(top + STRIP, images.height);
    const int x = within(min(left + item - RADIUS_X, images.width + RADIUS_X), images.width);
    global const float *column = in + (size_t)first_row * images.in_pitch + max(x, 0);

    float sums[FILTER_HEIGHT];
#pragma unroll
    for (int j = 0; j < FILTER_HEIGHT; j++) sums[j] = 0;
    int place = 0;
    for (int first = top - RADIUS_Y; first < bottom + RADIUS_Y; first += STEP, place ^= 1) {
        float pixels[STEP];
        load_column(pixels, column, images, first, x >= 0);
#pragma unroll
        for (int i = 0; i < STEP; i++) {
            FOR_31(ADD)
            sums[FILTER_HEIGHT - 1] = down.at[0] * pixels[i];
            weighed[place][i][item] = sums[0];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int task = item; task < STEP * QUADS; task += WIDTH) {
            const int y = first - RADIUS_Y + task / QUADS;
            const int quad = task % QUADS;
            if (y < top || y >= bottom || left + quad * LANES >= images.width) continue;
            local const Lanes *row = (local const Lanes *)weighed[place][task / QUADS] + quad;
            float window[ROW_WINDOW];
#pragma unroll
            for (int i = 0; i < ROW_WINDOW / LANES; i++) SPREAD(row[i], window + i * LANES);
            Lanes sum = 0;
            FOR_31(WEIGH)
            store_lanes(out + (size_t)(first_row + y) * images.out_pitch, sum,
                        left + quad * LANES, images.out_pitch);
        }
    }
}

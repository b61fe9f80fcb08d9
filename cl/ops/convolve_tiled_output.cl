// convolve_tiled_output: a group as large as its output tile, which loads the halo in a loop.
//
// A work-item makes OUTPUTS pixels, one below the other, so that a pixel of local memory serves up to
// OUTPUTS sums. The tile is WIDTH x (HEIGHT * OUTPUTS), the group WIDTH x HEIGHT.

#include "pictures.cl"

#define OUT_HEIGHT (HEIGHT * OUTPUTS)
#define IN_WIDTH (WIDTH + 2 * RADIUS_X)
#define IN_HEIGHT (OUT_HEIGHT + 2 * RADIUS_Y)

kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void convolve(global const float *restrict in, global float *restrict out, const ImageLayout images,
              constant float *filter)
{
    local float tile[IN_HEIGHT][IN_WIDTH];
    const int tiles_down = (images.height + OUT_HEIGHT - 1) / OUT_HEIGHT;
    const int first_row = get_group_id(1) / tiles_down * images.height; // of this image
    const int left = get_group_id(0) * WIDTH;
    const int top = get_group_id(1) % tiles_down * OUT_HEIGHT;
    global const float *image = in + (size_t)first_row * images.in_pitch;
    for (int j = get_local_id(1); j < IN_HEIGHT; j += HEIGHT)
        for (int i = get_local_id(0); i < IN_WIDTH; i += WIDTH)
            tile[j][i] = pixel_at(image, images, left + i - RADIUS_X, top + j - RADIUS_Y);
    barrier(CLK_LOCAL_MEM_FENCE);

    const int tile_x = get_local_id(0);
    const int tile_y = get_local_id(1) * OUTPUTS;
    float sums[OUTPUTS] = {0};
    for (int i = 0; i < FILTER_WIDTH; i++) {
        float column_sums[OUTPUTS] = {0}; // short sums round less than a long one
#pragma unroll
        for (int j = 0; j < OUTPUTS + 2 * RADIUS_Y; j++) {
            const float pixel = tile[tile_y + j][tile_x + i];
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++)
                if (j >= o && j - o < FILTER_HEIGHT)
                    column_sums[o] += filter[(j - o) * FILTER_WIDTH + i] * pixel;
        }
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) sums[o] += column_sums[o];
    }
    const int x = left + tile_x;
    for (int o = 0; o < OUTPUTS; o++) {
        const int y = top + tile_y + o;
        if (x < images.width && y < images.height)
            out[(size_t)(first_row + y) * images.out_pitch + x] = sums[o];
    }
}

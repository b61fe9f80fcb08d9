// convolve_columns: each column by FILTER_HEIGHT weights; a group's tile in local memory.
//
// A group of WIDTH x HEIGHT makes a tile of WIDTH x (HEIGHT * OUTPUTS). A work-item's pixels lie
// one below the other: one read from local memory serves up to OUTPUTS sums, and neighbors read
// neighboring banks.

#include "pictures.cl"

#define OUT_HEIGHT (HEIGHT * OUTPUTS)
#define IN_HEIGHT (OUT_HEIGHT + 2 * RADIUS_Y)

kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void convolve(global const float *restrict in, global float *restrict out, const ImageLayout images,
              constant float *filter)
{
    local float tile[IN_HEIGHT][WIDTH];
    const int tile_x = get_local_id(0);
    const int tile_y = get_local_id(1) * OUTPUTS;
    const int tiles_down = (images.height + OUT_HEIGHT - 1) / OUT_HEIGHT;
    const int first_row = get_group_id(1) / tiles_down * images.height; // of this image
    const int top = get_group_id(1) % tiles_down * OUT_HEIGHT;
    const int x = get_global_id(0);
    global const float *column =
        in + (size_t)first_row * images.in_pitch + min(x, images.width - 1);
    for (int j = get_local_id(1); j < IN_HEIGHT; j += HEIGHT) {
        const int row = within(top + j - RADIUS_Y, images.height);
        tile[j][tile_x] = row < 0 ? 0 : column[(size_t)row * images.in_pitch];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= images.width) return;

    float sums[OUTPUTS] = {0};
#pragma unroll
    for (int j = 0; j < OUTPUTS + 2 * RADIUS_Y; j++) {
        const float pixel = tile[tile_y + j][tile_x];
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++)
            if (j >= o && j - o < FILTER_HEIGHT) sums[o] += filter[j - o] * pixel;
    }
    for (int o = 0; o < OUTPUTS; o++) {
        const int y = top + tile_y + o;
        if (y < images.height) out[(size_t)(first_row + y) * images.out_pitch + x] = sums[o];
    }
}

// convolve_rows: each row by FILTER_WIDTH weights; a group's stretch of a row in local memory.
//
// A group of WIDTH x HEIGHT makes HEIGHT rows of WIDTH * OUTPUTS pixels. A work-item's pixels are
// WIDTH apart, so that neighbors always touch neighboring banks. Rows of all images alike.

#include "pictures.cl"

#define OUT_WIDTH (WIDTH * OUTPUTS)
#define IN_WIDTH (OUT_WIDTH + 2 * RADIUS_X)

kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void convolve(global const float *restrict in, global float *restrict out, const ImageLayout images,
              constant float *filter)
{
    local float tile[HEIGHT][IN_WIDTH];
    const int tile_x = get_local_id(0);
    const int tile_y = get_local_id(1);
    const int left = get_group_id(0) * OUT_WIDTH;
    const int row = get_global_id(1);
    global const float *pixels = in + (size_t)min(row, images.rows - 1) * images.in_pitch;
    for (int i = tile_x; i < IN_WIDTH; i += WIDTH) {
        const int column = within(left + i - RADIUS_X, images.width);
        tile[tile_y][i] = column < 0 ? 0 : pixels[column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row >= images.rows) return;

#pragma unroll
    for (int o = 0; o < OUTPUTS; o++) {
        float sum = 0;
#pragma unroll
        for (int i = 0; i < FILTER_WIDTH; i++)
            sum += filter[i] * tile[tile_y][tile_x + o * WIDTH + i];
        const int x = left + tile_x + o * WIDTH;
        if (x < images.width) out[(size_t)row * images.out_pitch + x] = sum;
    }
}

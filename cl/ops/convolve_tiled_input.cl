// convolve_tiled_input: a group as large as its input tile, halo included; a pixel a work-item.
//
// TILE x TILE work-items load, those of the halo then rest: the filter must be smaller than TILE.

#include "pictures.cl"

#define OUT_WIDTH (TILE - 2 * RADIUS_X)
#define OUT_HEIGHT (TILE - 2 * RADIUS_Y)

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void convolve(global const float *restrict in, global float *restrict out, const ImageLayout images,
              constant float *filter)
{
    local float tile[TILE][TILE];
    const int tile_x = get_local_id(0);
    const int tile_y = get_local_id(1);
    const int tiles_down = (images.height + OUT_HEIGHT - 1) / OUT_HEIGHT;
    const int first_row = get_group_id(1) / tiles_down * images.height; // of this image
    const int x = get_group_id(0) * OUT_WIDTH + tile_x - RADIUS_X;
    const int y = get_group_id(1) % tiles_down * OUT_HEIGHT + tile_y - RADIUS_Y;
    tile[tile_y][tile_x] =
        pixel_at(in + (size_t)first_row * images.in_pitch, images, x, y);
    barrier(CLK_LOCAL_MEM_FENCE);

    const int left = tile_x - RADIUS_X;
    const int top = tile_y - RADIUS_Y;
    if (left < 0 || left >= OUT_WIDTH || top < 0 || top >= OUT_HEIGHT) return;
    if (x >= images.width || y >= images.height) return;
    float sum = 0;
    for (int j = 0; j < FILTER_HEIGHT; j++) {
        float row_sum = 0; // short sums round less than a long one
        for (int i = 0; i < FILTER_WIDTH; i++)
            row_sum += filter[j * FILTER_WIDTH + i] * tile[top + j][left + i];
        sum += row_sum;
    }
    out[(size_t)(first_row + y) * images.out_pitch + x] = sum;
}

// convolve_cached: the tile in local memory without its halo, which is left to the cache.
//
// Input tile, output tile and group are all TILE x TILE.

#include "pictures.cl"

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void convolve(global const float *restrict in, global float *restrict out, const ImageLayout images,
              constant float *filter)
{
    local float tile[TILE][TILE];
    const int tile_x = get_local_id(0);
    const int tile_y = get_local_id(1);
    const int tiles_down = (images.height + TILE - 1) / TILE;
    const int first_row = get_group_id(1) / tiles_down * images.height; // of this image
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) % tiles_down * TILE;
    const int x = left + tile_x;
    const int y = top + tile_y;
    global const float *image = in + (size_t)first_row * images.in_pitch;
    tile[tile_y][tile_x] = pixel_at(image, images, x, y);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= images.width || y >= images.height) return;

    // A tile at the image's edge holds stand-ins from the border: the same as pixel_at's.
    float sum = 0;
    for (int j = 0; j < FILTER_HEIGHT; j++) {
        float row_sum = 0; // short sums round less than a long one
        for (int i = 0; i < FILTER_WIDTH; i++) {
            const int tile_i = tile_x + i - RADIUS_X;
            const int tile_j = tile_y + j - RADIUS_Y;
            const bool in_tile = tile_i >= 0 && tile_i < TILE && tile_j >= 0 && tile_j < TILE;
            const float pixel = in_tile
                                    ? tile[tile_j][tile_i]
                                    : pixel_at(image, images, left + tile_i, top + tile_j);
            row_sum += filter[j * FILTER_WIDTH + i] * pixel;
        }
        sum += row_sum;
    }
    out[(size_t)(first_row + y) * images.out_pitch + x] = sum;
}

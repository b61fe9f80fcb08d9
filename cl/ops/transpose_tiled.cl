// transpose_tiled: a tile turns in local memory, so that reads and writes are both contiguous.
//
// A group is TILE x ROWS work-items; each moves TILE / ROWS elements, so that several loads are under
// way at once. -DPAD=1 adds a column to the tile, so that the elements of a column lie in different
// banks; -DPAD=0 does not, to see what bank conflicts cost.

#include "transpose_layout.cl"

kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1)))
void transpose(global const ELEMENT *restrict in, global ELEMENT *restrict out, const TransposeLayout layout)
{
    local ELEMENT tile[TILE][TILE + PAD];
    const uint x = get_local_id(0);
    const uint first_column = get_group_id(0) * TILE;
    const uint tiles = (layout.height + TILE - 1) / TILE; // down an image
    const uint first_row = get_group_id(1) % tiles * TILE;
    const uint image = get_group_id(1) / tiles;

#pragma unroll
    for (uint y = get_local_id(1); y < TILE; y += ROWS)
        if (first_row + y < layout.height && first_column + x < layout.width)
            tile[y][x] = in[place_in(layout, image, first_row + y, first_column + x)];
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
    for (uint y = get_local_id(1); y < TILE; y += ROWS)
        if (first_row + x < layout.height && first_column + y < layout.width)
            out[place_out(layout, image, first_row + x, first_column + y)] = tile[x][y];
}

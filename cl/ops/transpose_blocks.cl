// transpose_blocks: 4 x 4 blocks turn in registers, tiles of BLOCKS x BLOCKS of them in local memory.
//
// Every access moves four elements, so both pitches must be multiples of four: whole vectors are read
// and written, a row's padding with them. A group is BLOCKS x ROWS work-items.

#include "transpose_layout.cl"

#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
typedef JOIN(ELEMENT, 4) Four;

kernel __attribute__((reqd_work_group_size(BLOCKS, ROWS, 1)))
void transpose(global const Four *restrict in, global Four *restrict out, const TransposeLayout layout)
{
    local Four tile[4][BLOCKS][BLOCKS + 1]; // [column of a block][block across][block down]
    const uint x = get_local_id(0);
    const uint first_column = get_group_id(0) * BLOCKS * 4;
    const uint tiles = (layout.height + BLOCKS * 4 - 1) / (BLOCKS * 4); // down an image
    const uint first_row = get_group_id(1) % tiles * BLOCKS * 4;
    const uint image = get_group_id(1) / tiles;

    for (uint y = get_local_id(1); y < BLOCKS; y += ROWS) {
        Four rows[4];
#pragma unroll
        for (uint i = 0; i < 4; ++i) {
            const uint row = first_row + 4 * y + i;
            const uint column = first_column + 4 * x;
            rows[i] = row < layout.height && column < layout.width
                          ? in[place_in(layout, image, row, column) / 4] : (Four)(0);
        }
        tile[0][x][y] = (Four)(rows[0].x, rows[1].x, rows[2].x, rows[3].x);
        tile[1][x][y] = (Four)(rows[0].y, rows[1].y, rows[2].y, rows[3].y);
        tile[2][x][y] = (Four)(rows[0].z, rows[1].z, rows[2].z, rows[3].z);
        tile[3][x][y] = (Four)(rows[0].w, rows[1].w, rows[2].w, rows[3].w);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint y = get_local_id(1); y < BLOCKS; y += ROWS)
#pragma unroll
        for (uint i = 0; i < 4; ++i) {
            const uint row = first_row + 4 * x;
            const uint column = first_column + 4 * y + i;
            if (row < layout.height && column < layout.width)
                out[place_out(layout, image, row, column) / 4] = tile[i][y][x];
        }
}

// transpose_tiled: a 16 x 16 tile turns in local memory, so that reads and writes are contiguous.

#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose(global const float *in, global float *out, const uint rows, const uint columns)
{
    local float tile[TILE][TILE + 1]; // +1 column: the rows of a column land in different banks
    const uint x = get_local_id(0);
    const uint y = get_local_id(1);

    const uint column = get_group_id(0) * TILE + x;
    const uint row = get_group_id(1) * TILE + y;
    if (row < rows && column < columns) tile[y][x] = in[(size_t)row * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint turned_column = get_group_id(1) * TILE + x;
    const uint turned_row = get_group_id(0) * TILE + y;
    if (turned_row < columns && turned_column < rows)
        out[(size_t)turned_row * rows + turned_column] = tile[x][y];
}

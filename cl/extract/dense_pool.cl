// dense_pool: derivatives summed under the tents of cells: first down the columns, then along the row.
//
// A group makes one row of cells of some patches. Its column sums meet in local memory. All sums are
// whole numbers below 2^24, so that float32 holds them exactly, in any order. -DCELL: pixels of a
// cell; -DBITS: to drop of a grey, rounded.

#include "dense_grid.cl"

int grey_at(global const short *row, const int x)
{
    return (row[x] + (BITS > 0 ? (1 << BITS) / 2 : 0)) >> BITS;
}

/// Sums of dx, |dx|, dy, |dy| down the column x under the tent around row `middle`.
float4 column_sums(global const short *greys, const LaunchImage image, const int x,
                   const int middle)
{
    float4 sums = 0;
    if (x < 0 || x >= image.width) return sums;
    const int left = max(x - 1, 0);
    const int right = min(x + 1, image.width - 1);
    const int last = image.height - 1;
    const int top = max(middle - CELL + 1, 0);
    global const short *first = greys + (image.pixels + (uint)top * (uint)image.width);
    int here = grey_at(first, x);
    int above = top > 0 ? grey_at(first - image.width, x) : here;
    for (int y = top; y <= min(middle + CELL - 1, last); y++) {
        global const short *row = greys + (image.pixels + (uint)y * (uint)image.width);
        global const short *below = y < last ? row + image.width : row;
        const float dx = grey_at(row, right) - grey_at(row, left);
        const int next = grey_at(below, x);
        const float dy = next - above;
        const float weight = CELL - abs(y - middle);
        above = here;
        here = next;
        sums += weight * (float4)(dx, fabs(dx), dy, fabs(dy));
    }
    return sums;
}

kernel __attribute__((reqd_work_group_size(DENSE_POOL_GROUP, 1, 1)))
void pool(global const short *greys, global const DenseGrid *grids,
          global const uint *first_tiles, const uint count, global float *cells)
{
    local float sums[PATCH_CHANNELS][DENSE_POOL_GROUP + 1]; // +1: channels in banks of their own
    const uint number = find_part(first_tiles, count, get_group_id(0));
    const DenseGrid grid = grids[number];
    const GridAxis across = grid.across;
    const int tile = get_group_id(0) - first_tiles[number];
    const int tiles = (across.patches + grid.tile - 1) / grid.tile;
    const int row = tile / tiles;
    const int patch = tile % tiles * grid.tile;
    const int first = cell_of(across, patch, 0);
    const int end = patch + grid.tile < across.patches // the next tile makes the cells that both have
                        ? cell_of(across, patch + grid.tile, 0)
                        : cell_of(across, across.patches - 1, PATCH_CELLS - 1) + 1;
    const int left = middle_of(across, first) - CELL + 1;

    const int own = get_local_id(0);
    const float4 column = column_sums(greys, grid.image, left + own, middle_of(grid.down, row));
    sums[0][own] = column.x;
    sums[1][own] = column.y;
    sums[2][own] = column.z;
    sums[3][own] = column.w;
    barrier(CLK_LOCAL_MEM_FENCE);

    global float *out = cells + (grid.first_cell + (size_t)row * across.cells) * PATCH_CHANNELS;
    for (int i = first * PATCH_CHANNELS + own; i < end * PATCH_CHANNELS; i += DENSE_POOL_GROUP) {
        const int middle = middle_of(across, i / PATCH_CHANNELS) - left;
        float sum = 0;
        for (int x = 1 - CELL; x < CELL; x++)
            sum += (CELL - abs(x)) * sums[i % PATCH_CHANNELS][middle + x];
        out[i] = sum;
    }
}

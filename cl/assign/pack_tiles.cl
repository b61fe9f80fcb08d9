// pack_tiles: centroids as gpu6.cl and its like want them: tiles of COLUMNS, a dimension of all of
// them after the other, and -|c|^2 / 2 of each. Zeros of the host's packing stay as they are.
//
// -DDIMENSIONS. -DPADDED: DIMENSIONS in whole slices. -DCOLUMNS: of a tile.

#include "packing.cl"

kernel __attribute__((reqd_work_group_size(PACK_GROUP, 1, 1)))
void pack_tiles(global const float *centroids, global const double *squares, const uint k,
                global float *tiles, global float *starts)
{
    const uint dimension = get_global_id(0) / k;
    const uint word = get_global_id(0) % k;
    if (dimension >= DIMENSIONS) return;
    const size_t tile = (size_t)(word / COLUMNS) * PADDED * COLUMNS;
    tiles[tile + dimension * COLUMNS + word % COLUMNS] =
        centroids[(size_t)word * DIMENSIONS + dimension];
    if (dimension == 0) starts[word] = (float)(-squares[word] / 2);
}

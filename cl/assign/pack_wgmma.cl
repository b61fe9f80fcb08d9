// pack_wgmma: centroids as gpu7_wgmma.cl wants them, in the order of
// lib/bowhist/assign/device/matrix_centroids.hpp, after pack_matrix.cl. A group a row of a tile.
//
// -DDIMENSIONS: up to WGMMA_DIMENSIONS. Zeros of the host's packing stay as they are.

#include "packing.cl"

#define SLABS WGMMA_SLABS(DIMENSIONS)

/// As rounded_up() of matrix_centroids.cpp.
float rounded_up(const double value)
{
    return (float)(value * (1 + 1e-6) + 0x1p-126);
}

/// As lowest_score() of wgmma_kernel.cpp, from the extent.
float lowest_score(global const uint *extent, const float scale)
{
    const double norm = rounded_up(as_float(extent[EXTENT_ROUNDED]));
    const double longest = (double)as_float(extent[EXTENT_NORM]) * scale;
    const double most = 1.1 * (WGMMA_REACH * norm * norm + rounded_up(longest * longest / 2));
    double power = 1;
    while (power / 2 < most && power < 0x1p100) power *= 2;
    return (float)power;
}

kernel __attribute__((reqd_work_group_size(SLABS * WGMMA_SLAB, 1, 1)))
void pack_wgmma(global const float *centroids, global const double *squares, const uint k,
                global ushort *values, global ushort *lasts, global uint *extent)
{
    const uint j = get_group_id(0);
    const uint i = get_local_id(0);
    const uint in_tile = j % WGMMA_TILE;
    const uint in_tile_row = in_tile % 16 / 2 * 8 + in_tile / 16 * 2 + in_tile % 2;
    const uint row = j / WGMMA_TILE * WGMMA_TILE + in_tile_row;
    const float scale = matrix_scale(extent);
    if (j < k && i < DIMENSIONS) {
        const uint q = i % 16 / 4;
        const uint column = i / 16 * 16 + 2 * q + i % 2 + i % 4 / 2 * 8;
        const uint slab = j / WGMMA_TILE * SLABS + column / WGMMA_SLAB;
        const uint piece = column % WGMMA_SLAB / 8 ^ in_tile_row % 8;
        values[((size_t)slab * WGMMA_TILE + in_tile_row) * WGMMA_SLAB + piece * 8 + column % 8] =
            half_bits(centroids[(size_t)j * DIMENSIONS + i] * scale);
    }
    if (i != 0) return;
    const float lowest = lowest_score(extent, scale);
    if (j == 0) extent[EXTENT_LOWEST] = as_uint(lowest);
    global ushort *last = lasts + (size_t)row * 16 + in_tile_row / 4 % 2 * 8;
    last[0] = half_bits((j < k ? 1.5f : 1.0f) * lowest / 256);
    double rest = j < k ? -(squares[j] * scale * scale) / 2 : 0;
    for (uint part = 1; part < 4; part++) {
        const ushort bits = half_bits((float)rest);
        last[part] = bits;
        rest -= from_half(bits);
    }
}

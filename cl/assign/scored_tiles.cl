// scored_tiles: the scores of a tile of 64 centroids in local memory, as wgmma sums them.
//
// A score is M + x.c - |c|^2/2: steps of 16 dimensions, then a step that adds M - |c|^2/2 in four
// parts of fp16 (lib/bowhist/assign/device/matrix_centroids.hpp). After scored_rows.cl, for STEPS.

#include "assign_launch.h"
#include "wgmma.cl"

#define SLAB_QUADS (WGMMA_TILE * WGMMA_SLAB / 8) // uint4s of a slab
#define TILE_QUADS (SLAB_QUADS * WGMMA_SLABS(DIMENSIONS)) // of a tile
#define LAST_QUADS (WGMMA_TILE * 16 / 8) // of its last step: 32 bytes a centroid

// Matrices in local memory, as the matrix units address them: swizzled by 128 (32) bytes, 1024 (256)
// bytes from eight rows to the next, addresses in units of 16 bytes.

ulong tile_address(local const uint4 *tile)
{
    return (1UL << 62) | (64UL << 32) | (1UL << 16) | ((uint)(size_t)tile & 0x3ffff) >> 4;
}

ulong last_address(local const uint4 *last)
{
    return (3UL << 62) | (16UL << 32) | (1UL << 16) | ((uint)(size_t)last & 0x3ffff) >> 4;
}

/// Scores the work-item's two descriptors of 64: sum 4 b + 2 slot + e is that of descriptor `slot`
/// and centroid 16 place + 2 b + e, `place` being the work-item's in its quad.
void score_tile(private float *sums, const private uint x[STEPS][4], const ulong tile,
                const ulong last)
{
    // Against the last step's M / 256, and -|c|^2/2 in three parts: 256, 1, 1, 1.
    const uint place = get_local_id(0) % 4;
    const uint weight = place == 0 ? 0x3c005c00 : place == 1 ? 0x3c003c00 : 0;
    const uint weights[4] = {weight, weight, 0, 0};
    open_products(sums);
    start_products(sums, x[0], tile);
#pragma unroll
    for (uint step = 1; step < STEPS; step++) // 32 bytes further: 16 dimensions
        add_products(sums, x[step], tile + step / 4 * SLAB_QUADS + step % 4 * 2);
    add_products(sums, weights, last);
    close_products();
    await_products(sums);
}

// probe_wgmma: the scores of 64 rows and 64 words as wgmma sums them, to be held to their bound.
//
// One warpgroup, one tile. A score starts at M, as in gpu7_wgmma.cl.

#include "scored_rows.cl"
#include "scored_tiles.cl"

kernel __attribute__((reqd_work_group_size(WARPGROUP, 1, 1)))
void probe(global const float4 *descriptors, global const uint4 *tiles,
           global const uint4 *lasts, const float scale, global float *scores)
{
    local uint4 tile[TILE_QUADS] __attribute__((aligned(1024)));
    local uint4 last[LAST_QUADS] __attribute__((aligned(1024)));
    const uint item = get_local_id(0);
    for (uint i = item; i < TILE_QUADS; i += WARPGROUP) copy_quad(tile + i, tiles + i);
    copy_quad(last + item, lasts + item);
    end_of_copies();
    await_copies(0);
    show_copies();
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = item / WARP * 16 + item % WARP / 4; // its other row is eight further
    uint x[STEPS][4];
    for (uint slot = 0; slot < 2; slot++)
        load_row(x, slot, descriptors + (first + 8 * slot) * (DIMENSIONS / 4), scale);
    float sums[32];
    score_tile(sums, x, tile_address(tile), last_address(last));
    for (uint slot = 0; slot < 2; slot++)
        for (uint i = 0; i < 16; i++)
            scores[(first + 8 * slot) * WGMMA_TILE + 16 * (item % 4) + i] =
                sums[4 * (i / 2) + 2 * slot + i % 2];
}

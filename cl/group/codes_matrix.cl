// codes_matrix: codes compared with codes by the matrix units of NVIDIA's GPUs, from 8.0 on.
//
// A warp keeps 32 rows in registers, while tiles of columns stream through local memory: one is
// multiplied while the next is on its way. Few of a million products reach the limit, so that a
// multiplication and a comparison are all that most of them get.
//
// SLICES: of a code, at most MATRIX_CODE_SLICES.

#include "matrix_codes.cl"

#define WARP_ROWS (16 * ROW_TILES)
#define TILE_QUADS (SLICES * TILE_SLICE)

/// Starts to copy a tile and its inverse norms.
void fetch(global const uint4 *codes, global const float4 *inverse_norms, const uint column,
           local uint4 *to, local float4 *to_norms)
{
    const uint item = get_local_id(0);
#pragma unroll
    for (uint i = 0; i < TILE_QUADS; i += MATRIX_CODE_GROUP) {
        const uint in_slice = (i + item) % TILE_SLICE;
        const uint slice = (i + item) / TILE_SLICE;
        copy_quad(to + i + item, codes + (size_t)(column + in_slice / SLICE_QUADS) * CODE_QUADS +
                                     slice * SLICE_QUADS + in_slice % SLICE_QUADS);
    }
    if (item < CODE_TILE / 4)
        copy_quad((local uint4 *)(to_norms + item),
                  (global const uint4 *)(inverse_norms + column / 4 + item));
    end_of_copies();
}

kernel __attribute__((reqd_work_group_size(MATRIX_CODE_GROUP, 1, 1)))
void compare(global const uint4 *codes, global const float *inverse_norms,
             global const float *limits, global uint *counts, global uint2 *candidates,
             const CodePass pass)
{
    local uint4 tiles[2][TILE_QUADS] __attribute__((aligned(16)));
    local float4 tile_norms[2][CODE_TILE / 4] __attribute__((aligned(16)));
    const uint lane = get_local_id(0) % WARP;
    const uint first = pass.first_column + get_group_id(1) * (MATRIX_CODE_TILES * CODE_TILE);
    const uint end = min(pass.end_column, first + MATRIX_CODE_TILES * CODE_TILE);
    const uint warp_row =
        pass.first_row + get_group_id(0) * MATRIX_CODE_GROUP + get_local_id(0) / WARP * WARP_ROWS;
    fetch(codes, (global const float4 *)inverse_norms, first, tiles[0], tile_norms[0]);
    CodeRows rows;
    load_code_rows(&rows, codes, warp_row);
    float limit[2 * ROW_TILES];
#pragma unroll
    for (uint slot = 0; slot < 2 * ROW_TILES; slot++)
        limit[slot] = limit_of(limits, pass, warp_row + 8 * slot + lane / 4);
    uint at = 0;
    for (uint tile = first; tile < end; tile += CODE_TILE, at = 1 - at) {
        await_copies(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tile + CODE_TILE < end)
            fetch(codes, (global const float4 *)inverse_norms, tile + CODE_TILE, tiles[1 - at],
                  tile_norms[1 - at]);
        local const float2 *norms = (local const float2 *)tile_norms[at];
        for (uint eight = 0; eight < CODE_TILE; eight += 8) {
            int products[ROW_TILES][4];
            multiply_tile(products, &rows, tiles[at], eight);
            const float2 both = norms[eight / 2 + lane % 4];
            bool any = false;
#pragma unroll
            for (uint i = 0; i < 4 * ROW_TILES; i++)
                any |= reaches(products[i / 4][i % 4], i % 2 == 0 ? both.x : both.y, limit[i / 2]);
            if (ballot(any) == 0) continue; // the whole warp: it stays in step
#pragma unroll
            for (uint i = 0; i < 4 * ROW_TILES; i++)
                if (reaches(products[i / 4][i % 4], i % 2 == 0 ? both.x : both.y, limit[i / 2]))
                    append_candidate(warp_row + 8 * (i / 2) + lane / 4,
                                     tile + eight + 2 * (lane % 4) + i % 2, products[i / 4][i % 4],
                                     pass, counts, candidates);
            warp_barrier();
        }
    }
}

// probe_matrix: the scores of 64 words as the matrix unit sums them, to be held to their bound.
//
// A warp takes 16 rows; the centroids lie in two blocks. DIMENSIONS and STEPS as in matrix.cl.

#include "matrix.cl"

kernel __attribute__((reqd_work_group_size(WARP, 1, 1)))
void probe(global const float4 *descriptors, global const uint4 *fragments,
           global const float2 *starts, const float scale, global float *scores)
{
    const uint lane = get_local_id(0);
    const uint place = lane % 4;
    const uint first = get_group_id(0) * 16 + lane / 4; // its other row is eight further
    uint x[STEPS][4];
    for (uint slot = 0; slot < 2; slot++)
        load_descriptor(x, slot, descriptors, first + 8 * slot, scale);
    for (uint block = 0; block < PROBE_WORDS / MATRIX_BLOCK; block++)
        for (uint tile = 0; tile < MATRIX_TILES; tile++) {
            float found[4];
            score_tile(found, x, fragments + (block * MATRIX_TILES + tile) * (PAIRS * WARP) + lane,
                       starts[block * (MATRIX_BLOCK / 2) + MATRIX_TILES * place + tile]);
            for (uint i = 0; i < 4; i++)
                scores[(first + 8 * (i / 2)) * PROBE_WORDS + block * MATRIX_BLOCK + 8 * place + 2 * tile +
                       i % 2] = found[i];
        }
}

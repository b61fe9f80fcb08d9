// gpu7: cl/assign/gpu7.cl for devices without matrix units, a row a work-item: the same bound, the same
// lists, so that what becomes of them can be tested anywhere.

#include "matrix.cl"
#include "score_bound.cl"

/// The score of centroid j, wherever its operands lie (matrix_centroids.hpp).
float score_of(global const float *descriptor, const uint j, global const uint4 *fragments,
               global const float2 *starts, const float scale)
{
    const uint in_block = j % MATRIX_BLOCK;
    const uint tile = in_block % 8 / 2;
    global const uint4 *operands = fragments + (j / MATRIX_BLOCK * MATRIX_TILES + tile) * (PAIRS * WARP);
    return score(descriptor, scale, operands, in_block / 8 * 2 + in_block % 2,
                 ((global const float *)starts)[j]);
}

/// Twice the bound on a score's error, as in cl/assign/gpu7.cl.
float error_of(global const float *descriptor, const MatrixPass pass)
{
    float square = 0;
    float lost_square = 0;
    for (uint i = 0; i < DIMENSIONS; i++) {
        const float value = descriptor[i] * pass.scale;
        const float lost = value - rounded(value);
        square += value * value;
        lost_square += lost * lost;
    }
    return 2.001f * pass.bound_scale *
           score_bound(norm_of(square), norm_of(lost_square), pass.centroid_norm,
                       pass.centroid_residual, pass.half_square, pass.rounding);
}

kernel void assign(global const float4 *descriptors, global const uint *count,
                   global const uint4 *fragments, global const float2 *starts,
                   const MatrixPass pass, global int *words, global uint4 *contested,
                   global uint2 *crowded, global uint *unproven)
{
    const uint row = get_global_id(0);
    if (row >= *count) return;
    global const float *descriptor = (global const float *)descriptors + (size_t)row * DIMENSIONS;
    const float error = error_of(descriptor, pass);
    words[row] = -1;
    if (!(error < 1e30f)) {
        unproven[1 + atomic_inc(unproven)] = row;
        return;
    }
    float best = MATRIX_NOTHING;
    for (uint j = 0; j < pass.k; j++)
        best = fmax(best, score_of(descriptor, j, fragments, starts, pass.scale));
    const float threshold = best - error;

    uint group[2] = {0, 0};
    uint groups = 0; // with contenders in them
    uint last_group = 0xffffffff;
    uint contenders = 0; // of the first two
    for (uint j = 0; j < pass.k; j++) {
        if (score_of(descriptor, j, fragments, starts, pass.scale) < threshold) continue;
        if (j / 8 != last_group) {
            last_group = j / 8;
            if (groups < 2) group[groups] = last_group;
            groups++;
        }
        if (groups <= 2) contenders |= 1u << (8 * (groups - 1) + j % 8);
    }
    const bool backwards = row % 2 != 0; // groups come in any order
    if (popcount(contenders) == 1)
        words[row] = (int)(8 * group[0] + 31 - clz(contenders));
    else if (groups > 2)
        crowded[1 + atomic_inc((global uint *)crowded)] = (uint2)(row, as_uint(threshold));
    else
        contested[1 + atomic_inc((global uint *)contested)] =
            backwards ? (uint4)(row, group[1], group[0], contenders >> 8 | (contenders & 255) << 8)
                      : (uint4)(row, group[0], group[1], contenders);
}

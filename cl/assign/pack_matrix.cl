// pack_matrix: centroids as gpu7.cl and crowd.cl want them, in the order of
// lib/bowhist/assign/device/matrix_centroids.hpp. A group a centroid.
//
// -DDIMENSIONS, -DSTEPS as in matrix.cl. Zeros of the host's packing stay as they are.

#include "packing.cl"

/// @param squares  |c|^2 of each, the terms added up in order
kernel __attribute__((reqd_work_group_size(PACK_GROUP, 1, 1)))
void pack_matrix(global const float *centroids, global const double *squares,
                 global ushort *fragments, global float *starts, global uint *extent)
{
    local double terms[2][PACK_GROUP]; // of |c^|^2 and |c - c^|^2
    const uint word = get_group_id(0);
    const uint item = get_local_id(0);
    const uint in_block = word % MATRIX_BLOCK;
    const uint tile = word / MATRIX_BLOCK * MATRIX_TILES + in_block % 8 / 2;
    const uint column = in_block / 8 * 2 + in_block % 2;
    const float scale = matrix_scale(extent);
    double sum = 0;
    for (uint first = 0; first < DIMENSIONS; first += PACK_GROUP) {
        const uint i = first + item;
        if (i < DIMENSIONS) {
            const float value = centroids[(size_t)word * DIMENSIONS + i];
            const ushort bits = half_bits(value * scale);
            const uint step = i / 16;
            const uint lane = 4 * column + i % 16 / 4;
            fragments[(((size_t)(tile * (STEPS / 2) + step / 2) * WARP + lane) * 2 + step % 2) * 4 +
                      i % 4] = bits;
            const double rounded = from_half(bits);
            const double lost = (double)value * scale - rounded;
            terms[0][item] = rounded * rounded;
            terms[1][item] = lost * lost;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < 2)
            for (uint j = 0; j < min((uint)PACK_GROUP, DIMENSIONS - first); j++)
                sum += terms[item][j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item < 2) raise_to_root(&extent[item == 0 ? EXTENT_ROUNDED : EXTENT_RESIDUAL], sum);
    if (item == 0) starts[word] = (float)(-(squares[word] * scale * scale) / 2);
}

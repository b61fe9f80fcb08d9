// matrix: cl/assign/matrix.cl for devices without matrix units, as far as crowd.cl wants it.
//
// The same names and the same fp16 operands in the same order, summed as unit.cl sums. A work-item
// computes its four scores by itself: what it holds of a descriptor is where to find it.
// tests/assign/matrix_lists_test.cpp puts this in the place of the other.

#include "unit.cl"

#include "assign_launch.h"

#define PAIRS (STEPS / 2)

/// What fp16 makes of a value.
float rounded(const float value)
{
    ushort bits;
    vstore_half_rte(value, 0, (private half *)&bits);
    return vload_half(0, (const private half *)&bits);
}

/// The score of a descriptor and column `column` of the tile of 8 centroids whose operands start at
/// `tile`, on top of `start`.
float score(global const float *descriptor, const float scale, global const uint4 *tile,
            const uint column, const float start)
{
    float sum = start;
    for (uint first = 0; first < 16 * STEPS; first += PRODUCTS) {
        float x[PRODUCTS];
        float c[PRODUCTS];
        for (uint p = 0; p < PRODUCTS; p++) {
            const uint i = first + p;
            const uint step = i / 16;
            const uint lane = 4 * column + i % 16 / 4;
            global const half *values = (global const half *)(tile + step / 2 * WARP + lane);
            x[p] = i < DIMENSIONS ? rounded(descriptor[i] * scale) : 0;
            c[p] = vload_half(step % 2 * 4 + i % 4, values);
        }
        sum = sum_of_block(sum, x, c);
    }
    return sum;
}

float2 load_descriptor(private uint x[STEPS][4], const uint slot, global const float4 *descriptors,
                       const uint row, const float scale)
{
    const ulong place = (ulong)(size_t)(descriptors + (size_t)row * (DIMENSIONS / 4));
    x[0][slot] = (uint)place;
    x[1][slot] = (uint)(place >> 32);
    x[0][2] = as_uint(scale);
    return 0; // squares are gpu7.cl's own business
}

void score_tile(private float *scores, const private uint x[STEPS][4], global const uint4 *fragment,
                const float2 start)
{
    const uint lane = get_local_id(0) % WARP;
    for (uint slot = 0; slot < 2; slot++) {
        const ulong place = (ulong)x[1][slot] << 32 | x[0][slot];
        global const float *descriptor = (global const float *)(size_t)place;
        for (uint i = 0; i < 2; i++)
            scores[2 * slot + i] = score(descriptor, as_float(x[0][2]), fragment - lane,
                                         2 * (lane % 4) + i, i == 0 ? start.x : start.y);
    }
}

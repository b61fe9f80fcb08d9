// matrix: fp16 operands of the matrix unit, and the instructions that OpenCL C has no names for.
//
// mma.sync multiplies 16 descriptors by 8 centroids, 16 dimensions at a time, for a warp of 32
// work-items (PTX ISA, "Matrix Fragments for mma.m16n8k16"). A quad, four neighboring work-items,
// shares a descriptor: each holds a quarter of its dimensions and gets the scores of two of the
// eight centroids. The centroids lie in the order of lib/bowhist/assign/device/matrix_centroids.hpp.
//
// DIMENSIONS: a multiple of 4. STEPS: DIMENSIONS in steps of 16, an even number.

#include "assign_launch.h"
#include "warp.cl"

#define PAIRS (STEPS / 2)
#define BLOCK_QUADS (MATRIX_TILES * PAIRS * WARP) // uint4s of fragments a block

/// scores (16 descriptors x 8 centroids) = descriptors (16x16) * centroids (16x8), on top of what
/// each of the work-item's two centroids starts with.
void multiply(private float *scores, const private uint *descriptors, const uint low,
              const uint high, const float2 start)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %10, %11};"
        : "=f"(scores[0]), "=f"(scores[1]), "=f"(scores[2]), "=f"(scores[3])
        : "r"(descriptors[0]), "r"(descriptors[1]), "r"(descriptors[2]), "r"(descriptors[3]),
          "r"(low), "r"(high), "f"(start.x), "f"(start.y));
}

/// The same, on top of the scores so far.
void multiply_add(private float *scores, const private uint *descriptors, const uint low,
                  const uint high)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(scores[0]), "+f"(scores[1]), "+f"(scores[2]), "+f"(scores[3])
        : "r"(descriptors[0]), "r"(descriptors[1]), "r"(descriptors[2]), "r"(descriptors[3]),
          "r"(low), "r"(high));
}

/// Loads the work-item's quarter of a descriptor, as rows `lane / 4 + 8 * slot` of an operand of
/// 16; a quad reads 64 neighboring bytes. Returns |x|^2 and |x - x^|^2 of the quarter, x^ rounded.
float2 load_descriptor(uint x[STEPS][4], const uint slot, global const float4 *descriptors,
                       const uint row, const float scale)
{
    float2 squares = 0;
#pragma unroll
    for (uint step = 0; step < STEPS; step++) {
        const uint at = 4 * step + get_local_id(0) % 4;
        float4 value = 0;
        if (at < DIMENSIONS / 4) value = descriptors[(size_t)row * (DIMENSIONS / 4) + at] * scale;
        x[step][slot] = halves(value.x, value.y);
        x[step][slot + 2] = halves(value.z, value.w);
        const float4 lost = value - (float4)(floats(x[step][slot]), floats(x[step][slot + 2]));
        squares += (float2)(dot(value, value), dot(lost, lost));
    }
    return squares;
}

/// The scores of 16 descriptors and a tile of 8 centroids: of the work-item's first descriptor with
/// its two centroids, then of its second. `fragment` points at the work-item's own.
void score_tile(private float *scores, const uint x[STEPS][4], global const uint4 *fragment,
                const float2 start)
{
#pragma unroll
    for (uint pair = 0; pair < PAIRS; pair++) {
        const uint4 values = fragment[pair * WARP];
        if (pair == 0) multiply(scores, x[0], values.x, values.y, start);
        else multiply_add(scores, x[2 * pair], values.x, values.y);
        multiply_add(scores, x[2 * pair + 1], values.z, values.w);
    }
}

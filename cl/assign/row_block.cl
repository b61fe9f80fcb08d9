// row_block: sixteen descriptors, turned so that a vector holds the same dimension of each; for CPUs.
//
// DIMENSIONS: a multiple of 4.

#include "assign_launch.h"

#define ROWS_A_STEP 6 // of prefetch_rows

/// a0 b0 a1 b1 ... of the first halves, or the second ones.
float16 interleave_low(const float16 a, const float16 b)
{
    return (float16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3,
                     a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
}
float16 interleave_high(const float16 a, const float16 b)
{
    return (float16)(a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb,
                     a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf);
}

/// Transposes sixteen rows of sixteen floats: four perfect shuffles (a card's place in the deck is
/// eight bits, row and column; each shuffle rotates them by one).
void transpose_square(float16 square[CPU_LANES])
{
#pragma unroll
    for (uint shuffle_number = 0; shuffle_number < 4; shuffle_number++) {
        float16 shuffled[CPU_LANES];
#pragma unroll
        for (uint i = 0; i < CPU_LANES / 2; i++) {
            shuffled[2 * i] = interleave_low(square[i], square[i + CPU_LANES / 2]);
            shuffled[2 * i + 1] = interleave_high(square[i], square[i + CPU_LANES / 2]);
        }
#pragma unroll
        for (uint i = 0; i < CPU_LANES; i++) square[i] = shuffled[i];
    }
}

/// Sixteen descriptors, transposed: block[dimension] has a float of each. Beyond n, the last again.
void read_block(float16 block[DIMENSIONS], global const float *descriptors, const uint first,
                const uint n)
{
    global const float *rows[CPU_LANES];
    for (uint lane = 0; lane < CPU_LANES; lane++)
        rows[lane] = descriptors + (size_t)min(first + lane, n - 1) * DIMENSIONS;
    const uint whole = DIMENSIONS / CPU_LANES * CPU_LANES;
    for (uint d = 0; d < whole; d += CPU_LANES) {
        float16 square[CPU_LANES];
#pragma unroll
        for (uint lane = 0; lane < CPU_LANES; lane++) square[lane] = vload16(0, rows[lane] + d);
        transpose_square(square);
#pragma unroll
        for (uint i = 0; i < CPU_LANES; i++) block[d + i] = square[i];
    }
    for (uint d = whole; d < DIMENSIONS; d++)
        for (uint lane = 0; lane < CPU_LANES; lane++)
            ((float *)&block[d])[lane] = rows[lane][d];
}

/// Asks the cache for the `step`th few rows of a block that will be read later: all at once would be
/// more misses than a core keeps. In PoCL, OpenCL's own prefetch does nothing.
void prefetch_rows(global const float *descriptors, const uint first, const uint rows,
                   const uint step, const uint n)
{
#ifdef __x86_64__
    const uint end = min(min(first + rows, n), first + (step + 1) * ROWS_A_STEP);
    for (uint row = first + step * ROWS_A_STEP; row < end; row++) {
        const uintptr_t from = (uintptr_t)(descriptors + (size_t)row * DIMENSIONS);
        for (uint byte = 0; byte < 4 * DIMENSIONS; byte += 64)
            __builtin_prefetch((const void *)(from + byte));
    }
#endif
}

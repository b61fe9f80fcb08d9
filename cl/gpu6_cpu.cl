// gpu6, for CPUs: a work-item is a group and searches LANES descriptors at a time, one a lane.
//
// The descriptors are transposed into a block that stays in the first cache; COLUMNS centroids at a
// time are multiplied with it, each value broadcast to all lanes, so that a step is COLUMNS fused
// multiply-adds for one read of the block. The maximum needs no exchange between lanes.
//
// DIMENSIONS: a multiple of 4. COLUMNS: as many accumulators of sixteen floats as the registers
// hold beside one row of the block. Centroids come packed [COLUMNS of them][dimension][column],
// zero beyond k; their starts are -||c||^2 / 2, -infinity beyond k.

#include "score.cl"

#define LANES 16

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
void transpose_square(float16 square[LANES])
{
#pragma unroll
    for (uint shuffle_number = 0; shuffle_number < 4; shuffle_number++) {
        float16 shuffled[LANES];
#pragma unroll
        for (uint i = 0; i < LANES / 2; i++) {
            shuffled[2 * i] = interleave_low(square[i], square[i + LANES / 2]);
            shuffled[2 * i + 1] = interleave_high(square[i], square[i + LANES / 2]);
        }
#pragma unroll
        for (uint i = 0; i < LANES; i++) square[i] = shuffled[i];
    }
}

/// Sixteen descriptors, transposed: block[dimension] holds a float of each.
void read_block(float16 block[DIMENSIONS], global const float *const rows[LANES])
{
    const uint whole = DIMENSIONS / LANES * LANES;
    for (uint d = 0; d < whole; d += LANES) {
        float16 square[LANES];
#pragma unroll
        for (uint lane = 0; lane < LANES; lane++) square[lane] = vload16(0, rows[lane] + d);
        transpose_square(square);
#pragma unroll
        for (uint i = 0; i < LANES; i++) block[d + i] = square[i];
    }
    for (uint d = whole; d < DIMENSIONS; d++)
        for (uint lane = 0; lane < LANES; lane++)
            ((float *)&block[d])[lane] = rows[lane][d];
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void assign(global const float *descriptors, global const float *centroids,
            global const float *starts, const Search search, global const uint *image,
            global int *words, global uint *histograms, global uint *unproven)
{
    const uint first = get_group_id(0) * LANES;
    global const float *row[LANES];
    for (uint lane = 0; lane < LANES; lane++)
        row[lane] = descriptors + (size_t)min(first + lane, search.n - 1) * DIMENSIONS;
    float16 block[DIMENSIONS];
    read_block(block, row);
    float16 squares = 0;
    for (uint d = 0; d < DIMENSIONS; d++) squares += block[d] * block[d];
    const float16 norm = sqrt(squares);

    float16 best = -INFINITY;
    float16 second = -INFINITY;
    int16 word = 0;
    for (uint tile = 0; tile < search.k; tile += COLUMNS) {
        global const float *c = centroids + (size_t)tile * DIMENSIONS;
        float16 score[COLUMNS];
#pragma unroll
        for (uint j = 0; j < COLUMNS; j++) score[j] = starts[tile + j];
        for (uint d = 0; d < DIMENSIONS; d++)
#pragma unroll
            for (uint j = 0; j < COLUMNS; j++)
                score[j] = MULTIPLY_ADD(block[d], (float16)(c[d * COLUMNS + j]), score[j]);
#pragma unroll
        for (uint j = 0; j < COLUMNS; j++) {
            // Selected by comparison: fmax would spend three instructions on NaN.
            const int16 better = score[j] > best;
            const float16 loser = better ? best : score[j];
            second = loser > second ? loser : second;
            word = better ? (int16)(tile + j) : word;
            best = better ? score[j] : best;
        }
    }
    for (uint lane = 0; lane < LANES && first + lane < search.n; lane++) {
        const Match match = {((float *)&best)[lane], ((float *)&second)[lane],
                             ((uint *)&word)[lane]};
        settle_match(match, ((float *)&norm)[lane], first + lane, search, image,
                     words, histograms, unproven);
    }
}

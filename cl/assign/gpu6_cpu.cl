// gpu6, for CPUs: a work-item is a group and searches CPU_LANES descriptors at a time, one a lane.
//
// The descriptors are transposed into a block that stays in the first cache; COLUMNS centroids at a
// time are multiplied with it, each value broadcast to all lanes, so that a step is COLUMNS fused
// multiply-adds for one read of the block. The maximum needs no exchange between lanes.
//
// DIMENSIONS: a multiple of 4. COLUMNS: as many accumulators of sixteen floats as the registers
// hold beside one row of the block. Centroids come packed [COLUMNS of them][dimension][column],
// zero beyond k; their starts are -||c||^2 / 2, -infinity beyond k.

#include "row_block.cl"
#include "score.cl"

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void assign(global const float *descriptors, global const uint *count,
            global const float *centroids, global const float *starts, ScorePass search,
            global const uint *bag,
            global int *words, global uint *histograms, global uint *unproven)
{
    search.n = *count;
    const uint first = get_group_id(0) * CPU_LANES;
    if (first >= search.n) return;
    float16 block[DIMENSIONS];
    read_block(block, descriptors, first, search.n);
    float16 squares = 0;
    for (uint d = 0; d < DIMENSIONS; d++) squares += block[d] * block[d];
    const float16 norm = sqrt(squares);

    float16 best = -INFINITY;
    float16 second = -INFINITY;
    int16 word = 0;
    uint last = 0;
    for (uint tile = 0; tile < search.k; tile += COLUMNS) {
        global const float *c = centroids + (size_t)tile * DIMENSIONS;
        prefetch_rows(descriptors, first + CPU_LANES, CPU_LANES, tile / COLUMNS, search.n);
        float16 score[COLUMNS];
#pragma unroll
        for (uint j = 0; j < COLUMNS; j++) score[j] = starts[tile + j];
        last = LAST_SEEN(starts[tile], tile, last);
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
    if (last + COLUMNS < search.k) search.largest_norm = -1; // then nothing is proven
    for (uint lane = 0; lane < CPU_LANES && first + lane < search.n; lane++) {
        const Match match = {((float *)&best)[lane], ((float *)&second)[lane],
                             ((uint *)&word)[lane]};
        settle_match(match, ((float *)&norm)[lane], first + lane, search, bag,
                     words, histograms, unproven);
    }
}

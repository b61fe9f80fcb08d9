// move_words: each word's centroid on the mean of its rows, just as CentroidSums::move rounds it,
// and the word's part of the inertia before that, as CentroidSums::inertia adds it. A group a word.
//
// Sums are added up in the host's order, by one work-item each. -DDIMENSIONS.

#include "packing.cl"
#include "train_launch.h"

/// @param sums    k rows of DIMENSIONS numbers of 64 bits, two words each, in multiples
/// @param scale   made values multiples
/// @param squares |c|^2 of each centroid of `after`
/// @param record  the extent, empty words, and parts of the inertia
kernel __attribute__((reqd_work_group_size(MOVE_GROUP, 1, 1)))
void move_words(global const uint *sums, global const uint *counts, const double scale,
                global const float *before, global float *after, global double *squares,
                global uint *record)
{
    local double terms[3][MOVE_GROUP];
    const uint word = get_group_id(0);
    const uint item = get_local_id(0);
    const uint count = counts[word];
    double sum = 0;
    for (uint first = 0; first < DIMENSIONS; first += MOVE_GROUP) {
        const size_t at = (size_t)word * DIMENSIONS + first + item;
        if (first + item < DIMENSIONS) {
            const double total = (double)(long)((ulong)sums[2 * at + 1] << 32 | sums[2 * at]);
            const float from = before[at];
            const float to = count > 0 ? (float)(total / scale / count) : from;
            after[at] = to;
            terms[0][item] = (double)from * total;
            terms[1][item] = (double)from * from;
            terms[2][item] = (double)to * to;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < 3)
            for (uint i = 0; i < min((uint)MOVE_GROUP, DIMENSIONS - first); i++)
                sum += terms[item][i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item < 3) terms[item][0] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item != 0) return;
    const double explained = 2 * (terms[0][0] / scale);
    const double rest = count * terms[1][0];
    ((global double *)(record + RECORD_EXPLAINED))[word] = explained - rest;
    squares[word] = terms[2][0];
    raise_to_root(&record[EXTENT_NORM], terms[2][0]);
    if (count == 0) atomic_inc(&record[RECORD_EMPTY]);
}

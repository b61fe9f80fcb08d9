// sum_by_word: sums of each word's rows in multiples of a power of two: 64 bits add them up exactly.
//
// A group takes rows that are neighbors in the order, of few words; a work-item adds up one dimension,
// and hands a word's sum on where the next begins. Several rows are on their way at once. -DDIMENSIONS.

#include "train_launch.h"

/// Adds to a number of 64 bits, which lies as two of 32: not every device has atomics for it.
void add(global uint *sum, const long number)
{
    const uint low = (uint)number;
    const uint before = atomic_add(&sum[0], low);
    const uint carry = before + low < low ? 1 : 0;
    const uint high = (uint)((ulong)number >> 32) + carry;
    if (high != 0) atomic_add(&sum[1], high);
}

/// @param scales  whose product makes values multiples: one alone may leave float32's range
/// @param sums    k rows of DIMENSIONS numbers, added to
kernel __attribute__((reqd_work_group_size(SUM_GROUP, 1, 1)))
void sum_by_word(global const float *values, global const int *words, global const uint *order,
                 const uint rows, const uint k, const float2 scales, global uint *sums)
{
    local uint its_row[SUM_ROWS];
    local uint its_word[SUM_ROWS];
    const uint first = get_group_id(0) * SUM_ROWS;
    const uint count = min((uint)SUM_ROWS, rows - first);
    for (uint i = get_local_id(0); i < SUM_ROWS; i += SUM_GROUP) {
        // Behind the last row it comes again, uncounted. A broken kernel's order may hold anything.
        const uint row = min(order[first + min(i, count - 1)], rows - 1);
        its_row[i] = row;
        its_word[i] = min((uint)words[row], k - 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint dimension = get_group_id(1) * SUM_GROUP + get_local_id(0);
    if (dimension >= DIMENSIONS) return;
    uint word = its_word[0];
    long sum = 0;
    for (uint at = 0; at < count; at += SUM_AHEAD) {
        float value[SUM_AHEAD];
#pragma unroll
        for (uint i = 0; i < SUM_AHEAD; i++)
            value[i] = values[(size_t)its_row[at + i] * DIMENSIONS + dimension];
#pragma unroll
        for (uint i = 0; i < SUM_AHEAD; i++) {
            if (at + i >= count) break;
            if (its_word[at + i] != word) {
                add(sums + ((size_t)word * DIMENSIONS + dimension) * 2, sum);
                word = its_word[at + i];
                sum = 0;
            }
            sum += convert_long(rint(value[i] * scales.x * scales.y));
        }
    }
    add(sums + ((size_t)word * DIMENSIONS + dimension) * 2, sum);
}

// sum_by_word: the sums of each word's rows, in whole multiples of a power of two, which 64 bits add
// up exactly in any order.
//
// A group takes some rows that lie next to each other in the order, of few words; a work-item adds up
// one dimension, and hands a word's sum on where the next word begins. -DDIMENSIONS.

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
                 const uint rows, const float2 scales, global uint *sums)
{
    const uint first = get_group_id(0) * SUM_ROWS;
    const uint end = min(first + SUM_ROWS, rows);
    const uint dimension = get_group_id(1) * SUM_GROUP + get_local_id(0);
    if (dimension >= DIMENSIONS) return;
    int word = words[order[first]];
    long sum = 0;
    for (uint at = first; at < end; at++) {
        const uint row = order[at];
        if (words[row] != word) {
            add(sums + ((size_t)word * DIMENSIONS + dimension) * 2, sum);
            word = words[row];
            sum = 0;
        }
        const float value = values[(size_t)row * DIMENSIONS + dimension];
        sum += convert_long(rint(value * scales.x * scales.y));
    }
    add(sums + ((size_t)word * DIMENSIONS + dimension) * 2, sum);
}

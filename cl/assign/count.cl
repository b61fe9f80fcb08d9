// count: words into histograms, a group's share gathered in local memory first (listing 4.1's idea).
//
// Most rows of a group belong to one bag: neighbors that would wait for each other at the same
// counters in global memory meet in local memory, which then adds each counter once. Rows of another
// bag than the group's first, and all rows where the vocabulary does not fit (LOCAL_WORDS), count in
// global memory. ROWS: a group's. Rows without a word yet (-1) are not counted. The rows that gpu7
// settled by its two lists are noted in passing.

#include "assign_launch.h"

kernel __attribute__((reqd_work_group_size(COUNT_GROUP, 1, 1)))
void count(global const int *words, global const uint *bag, global const uint *rows, const uint k,
           global uint *histograms, global const uint *contested, global const uint *crowded,
           global uint *settled)
{
    if (get_global_id(0) == 0) *settled += contested[0] + crowded[0] - crowded[1];
    local uint counts[LOCAL_WORDS];
    const uint n = *rows;
    const uint first = get_group_id(0) * ROWS;
    const uint gathered = first < n ? bag[first] : 0;
    const uint counters = k <= LOCAL_WORDS ? k : 0;
    for (uint w = get_local_id(0); w < counters; w += COUNT_GROUP) counts[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int word[ROWS / COUNT_GROUP]; // all read before the first is counted
    uint its_bag[ROWS / COUNT_GROUP];
#pragma unroll
    for (uint turn = 0; turn < ROWS / COUNT_GROUP; turn++) {
        const uint row = first + turn * COUNT_GROUP + get_local_id(0);
        word[turn] = row < n ? words[row] : -1;
        its_bag[turn] = row < n ? bag[row] : 0;
    }
#pragma unroll
    for (uint turn = 0; turn < ROWS / COUNT_GROUP; turn++) {
        if (word[turn] < 0) continue;
        if (counters != 0 && its_bag[turn] == gathered) atomic_inc(&counts[word[turn]]);
        else atomic_inc(&histograms[(size_t)its_bag[turn] * k + word[turn]]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = get_local_id(0); w < counters; w += COUNT_GROUP)
        if (counts[w] != 0) atomic_add(&histograms[(size_t)gathered * k + w], counts[w]);
}

// order_by_word: rows in an order in which a word's are neighbors; how many rows changed their word.
//
// A group counts its own rows of each word, takes its places of the word at once, and puts the
// rows there. So neighbors do not wait for each other at the same counters in global memory.

#include "train_launch.h"

/// Takes `count` of the remaining places of a word. REQUIRES: there are as many.
/// @return the first one
uint take_places(global uint *left, global const uint *starts, const uint word, const uint count,
                 global uint *record)
{
    const uint before = atomic_sub(&left[word], count);
    if (before < count) atomic_add(&record[RECORD_BROKEN], count);
    return starts[word] + before - count;
}

/// @param starts    where each word's rows begin in the order, and where the last one's end
/// @param left      how many rows each word has; none is left afterwards
/// @param counts    the same, added to what the parts before `first` have
/// @param order     the rows; those of a word in any order
/// @param unproven  [0] how many rows the rule decided
kernel __attribute__((reqd_work_group_size(ORDER_GROUP, 1, 1)))
void order_by_word(global const int *words, global const int *before, const uint rows, const uint k,
                   const uint is_first, global const uint *starts, global uint *left,
                   global uint *counts, global uint *order, global const uint *unproven,
                   global uint *record)
{
    local uint places[ORDER_WORDS]; // counts at first
    local uint moved;
    const uint item = get_local_id(0);
    const uint gathered = k <= ORDER_WORDS ? k : 0;
    if (get_group_id(0) == 0) {
        for (uint word = item; word < k; word += ORDER_GROUP)
            counts[word] = (is_first ? 0 : counts[word]) + starts[word + 1] - starts[word];
        if (item == 0) record[RECORD_UNPROVEN] += unproven[0];
        if (item == 0 && starts[k] != rows) atomic_inc(&record[RECORD_BROKEN]);
    }
    for (uint word = item; word < gathered; word += ORDER_GROUP) places[word] = 0;
    if (item == 0) moved = 0;
    uint its_word[ORDER_ROWS / ORDER_GROUP]; // all read before the first is counted
    uint its_place[ORDER_ROWS / ORDER_GROUP];
    uint its_moved = 0;
    const uint first = get_group_id(0) * ORDER_ROWS + item;
#pragma unroll
    for (uint turn = 0; turn < ORDER_ROWS / ORDER_GROUP; turn++) {
        const uint row = first + turn * ORDER_GROUP;
        its_word[turn] = row < rows ? words[row] : k;
        if (row < rows && words[row] != before[row]) its_moved++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (its_moved > 0) atomic_add(&moved, its_moved);
#pragma unroll
    for (uint turn = 0; turn < ORDER_ROWS / ORDER_GROUP; turn++)
        if (its_word[turn] < gathered) its_place[turn] = atomic_inc(&places[its_word[turn]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0 && moved > 0) atomic_add(&record[RECORD_MOVED], moved);
    for (uint word = item; word < gathered; word += ORDER_GROUP)
        if (places[word] > 0) places[word] = take_places(left, starts, word, places[word], record);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint turn = 0; turn < ORDER_ROWS / ORDER_GROUP; turn++) {
        const uint word = its_word[turn];
        const uint row = first + turn * ORDER_GROUP;
        if (word >= k) {
            if (row < rows) atomic_inc(&record[RECORD_BROKEN]); // there is no such word
            continue;
        }
        const uint place = gathered > 0 ? places[word] + its_place[turn]
                                        : take_places(left, starts, word, 1, record);
        if (place < rows) order[place] = row;
    }
}

// order_by_word: rows in an order in which those of a word are neighbours; how many words are others
// than before.

#include "train_launch.h"

/// @param next   where each word's rows begin; each row moves it on
/// @param order  the rows; those of a word in any order
/// @param moved  how many words differ, added to
kernel __attribute__((reqd_work_group_size(ORDER_GROUP, 1, 1)))
void order_by_word(global const int *words, global const int *before, const uint rows, const uint k,
                   global uint *next, global uint *order, global uint *moved)
{
    local uint its_moved;
    if (get_local_id(0) == 0) its_moved = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint row = get_global_id(0);
    if (row < rows) {
        const uint word = words[row];
        const uint place = word < k ? atomic_inc(&next[word]) : rows; // a broken kernel's is neither
        if (place < rows) order[place] = row;
        if (words[row] != before[row]) atomic_inc(&its_moved);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && its_moved > 0) atomic_add(moved, its_moved);
}

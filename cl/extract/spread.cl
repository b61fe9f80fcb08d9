// spread: of each image's candidates that are not among its strongest, those that the cells of a grid
// take in rounds: in each, every cell takes the strongest that it has left; of equal ones the first.
//
// A group serves an image, an item a cell. It counts how many rounds there is room for, then finds the
// candidate that each cell would take in the next one, four bits at a time for all cells at once
// (radix select). Candidates rank by their keys: the bits of the response, a positive float, and
// behind them the number, backwards. No two have the same.
//
// Built with SIDE, the cells along each side of the grid.

#include "extract_launch.h"

#define DIGIT_BITS 4
#define DIGITS (1 << DIGIT_BITS)
#define CELLS (SIDE * SIDE)

/// How many keypoints all cells together give in that number of rounds.
uint taken_in(const uint rounds, local const uint *sizes)
{
    uint taken = 0;
    for (int cell = 0; cell < CELLS; cell++) taken += min(sizes[cell], rounds);
    return taken;
}

/// The most whole rounds that there is room for; beyond all sizes where there is room for all.
uint whole_rounds(const uint candidates, const uint room, local const uint *sizes)
{
    uint rounds = 0;
    for (uint step = 1u << (31 - clz(candidates | 1)); step > 0; step /= 2)
        if (taken_in(rounds + step, sizes) <= room) rounds += step;
    return rounds;
}

ulong key_of(const uint response, const uint behind, const uint number_bits)
{
    return ((ulong)response << number_bits) + behind;
}

/// @param cells  of the candidates
/// @param ends   of each image's candidates, one image's behind another's
/// @param most   that an image's cells take
/// @param kept   1 for each candidate that stays anyway; becomes 1 for what a cell takes
kernel __attribute__((reqd_work_group_size(STRONGEST_GROUP, 1, 1)))
void spread(global const uint *responses, global const uchar *cells, global const uint *ends,
            const uint most, global uint *kept)
{
    local uint sizes[CELLS];           // of cells: candidates to take from
    local uint counts[CELLS * DIGITS]; // of each cell, by the next four bits of the key
    local ulong nexts[CELLS];          // of each cell: the key sought, as far as it is known
    local uint whole;                  // rounds
    local uint left;                   // room for the round after them
    const uint item = get_local_id(0);
    const uint first = get_group_id(0) == 0 ? 0 : ends[get_group_id(0) - 1];
    const uint end = ends[get_group_id(0)];
    if (item < CELLS) sizes[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = first + item; i < end; i += STRONGEST_GROUP)
        if (kept[i] == 0) atomic_inc(&sizes[cells[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        whole = whole_rounds(end - first, most, sizes);
        left = most - taken_in(whole, sizes);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint number_bits = (35 - clz(end - first)) / DIGIT_BITS * DIGIT_BITS;
    const bool plays = item < CELLS && sizes[item] > whole;
    uint before = whole; // candidates of the cell that rank before the one sought
    ulong own = 0;
    for (int shift = 32 + number_bits - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
        if (item < CELLS) nexts[item] = own;
        for (uint i = item; i < CELLS * DIGITS; i += STRONGEST_GROUP) counts[i] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = first + item; i < end; i += STRONGEST_GROUP) {
            const ulong digits = key_of(responses[i], end - 1 - i, number_bits) >> shift;
            if (kept[i] == 0 && digits / DIGITS == nexts[cells[i]])
                atomic_inc(&counts[cells[i] * DIGITS + digits % DIGITS]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        int digit = DIGITS - 1;
        if (plays)
            while (digit > 0 && counts[item * DIGITS + digit] <= before)
                before -= counts[item * DIGITS + digit--];
        own = own * DIGITS + digit;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item < CELLS) nexts[item] = plays ? own : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint stronger = 0;
    for (int cell = 0; cell < CELLS; cell++) stronger += nexts[cell] > own;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (plays && stronger >= left) nexts[item] = own + 1; // it has no room
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = first + item; i < end; i += STRONGEST_GROUP)
        if (key_of(responses[i], end - 1 - i, number_bits) >= nexts[cells[i]]) kept[i] = 1;
}

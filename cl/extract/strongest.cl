// strongest: each image's candidates of the greatest responses stay; of equal ones the first.
//
// A group serves an image. Responses are positive floats, which rank as their bits do: it finds the
// bits of the weakest that stays eight at a time, by counting what the next eight are (radix select).

#include "extract_launch.h"

#define BINS 256

/// @param ends  of each image's candidates, one image's behind another's
/// @param most  that an image keeps
/// @param kept  1 for each candidate; what does not stay becomes 0
kernel __attribute__((reqd_work_group_size(STRONGEST_GROUP, 1, 1)))
void keep_strongest(global const uint *responses, global const uint *ends, const uint most,
                    global uint *kept)
{
    local uint counts[BINS];
    local uint equals[STRONGEST_GROUP / 32];
    local uint weakest; // of those that stay, as far as its bits are known
    local uint room;    // for candidates whose bits are these so far
    const uint item = get_local_id(0);
    const uint first = get_group_id(0) == 0 ? 0 : ends[get_group_id(0) - 1];
    const uint end = ends[get_group_id(0)];
    if (item == 0) {
        weakest = 0;
        room = most;
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
        for (uint bin = item; bin < BINS; bin += STRONGEST_GROUP) counts[bin] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = first + item; i < end; i += STRONGEST_GROUP) {
            const uint bits = responses[i] >> shift;
            if (kept[i] != 0 && bits / BINS == weakest) atomic_inc(&counts[bits % BINS]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0) {
            uint bin = BINS - 1;
            while (bin > 0 && counts[bin] < room) room -= counts[bin--];
            weakest = weakest * BINS + bin;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint left = room; // for those that equal the weakest
    for (uint at = first; at < end; at += STRONGEST_GROUP) {
        const uint i = at + item;
        const bool candidate = i < end && kept[i] != 0;
        const bool equal = candidate && responses[i] == weakest;
        if (item < STRONGEST_GROUP / 32) equals[item] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (equal) atomic_or(&equals[item / 32], 1u << item % 32);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint all = 0;
        uint before = 0;
        for (uint word = 0; word < STRONGEST_GROUP / 32; word++) {
            all += popcount(equals[word]);
            if (word < item / 32) before += popcount(equals[word]);
        }
        before += popcount(equals[item / 32] & ((1u << item % 32) - 1));
        if (candidate && (equal ? before >= left : responses[i] < weakest)) kept[i] = 0;
        left -= min(left, all);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

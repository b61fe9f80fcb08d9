// scan_group: exclusive prefix sums of LEAVES values in local memory, up a tree and down again.
//
// Listing 8.2, after Blelloch; docs/operations/scan.md draws it: 2 (LEAVES - 1) additions, 2
// log2(LEAVES) steps. PADDED leaves one element free after every 32, so that the nodes of a level fall
// into different banks.
//
// -DTYPE: what is added up. -DLEAVES: a power of two. -DGROUP: work-items that share the tree.
// -DPADDED: 1, or 0 to see what the conflicts cost.

#include "ops_launch.h"

#define AT(leaf) (PADDED ? (leaf) + (leaf) / 32 : (leaf)) // where a leaf lies in local memory

/// Turns sums[AT(0)] … sums[AT(LEAVES - 1)] into what comes before each; returns the sum of all.
/// Called by every work-item of the group; `item` is its number among the GROUP of this tree. Has
/// barriers at both ends: leaves may be set just before and read just after.
TYPE scan_group(local TYPE *sums, const uint item)
{
    uint offset = 1; // leaves below a child
    for (uint nodes = LEAVES / 2; nodes > 0; nodes /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint node = item; node < nodes; node += GROUP) {
            const uint left = offset * (2 * node + 1) - 1;
            sums[AT(left + offset)] += sums[AT(left)];
        }
        offset *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const TYPE total = sums[AT(LEAVES - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) sums[AT(LEAVES - 1)] = 0;
    for (uint nodes = 1; nodes < LEAVES; nodes *= 2) {
        offset /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint node = item; node < nodes; node += GROUP) {
            const uint left = offset * (2 * node + 1) - 1;
            const TYPE before = sums[AT(left + offset)];
            sums[AT(left + offset)] = before + sums[AT(left)];
            sums[AT(left)] = before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

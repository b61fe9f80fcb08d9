// compact_tree: a group finds the places of what it keeps in the tree of scan_group.cl.
//
// A step takes LOADS vectors of four elements a work-item, in the order of scan_tree.cl; a leaf is the
// number kept of a vector. The -D macros are those of compact.cl and scan_tree.cl, with TYPE uint.

#include "compact.cl"
#include "scan_group.cl"

/// One bit for each of elements index … index + 3: whether it is kept.
uint kept_of(global const ELEMENT *in, global const uchar *flags, const uint index, const uint end)
{
    uint kept = 0;
    for (uint i = 0; i < 4; i++)
        if (index + i < end && is_kept(in[index + i], index + i, flags)) kept |= 1u << i;
    return kept;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void count_kept(global const ELEMENT *in, global const uchar *flags, global uint *counts,
                const Chunks chunks)
{
    local uint sums[TREE_ROOM(LEAVES)];
    const uint item = get_local_id(0);
    const uint first = get_group_id(0) * chunks.chunk;
    const uint end = min(first + chunks.chunk, chunks.size);
    uint count = 0;
    for (uint index = first + 4 * item; index < end; index += 4 * GROUP)
        count += popcount(kept_of(in, flags, index, end));
    for (uint load = 0; load < LOADS; load++)
        sums[AT(load * GROUP + item)] = load == 0 ? count : 0;
    const uint total = scan_group(sums, item);
    if (item == 0) counts[get_group_id(0)] = total;
}

/// places[chunk]: where the chunk's first one goes.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void write_kept(global const ELEMENT *in, global const uchar *flags, global ELEMENT *out,
                global const uint *places, const Chunks chunks)
{
    local uint sums[TREE_ROOM(LEAVES)];
    const uint item = get_local_id(0);
    const uint first = get_group_id(0) * chunks.chunk;
    const uint end = min(first + chunks.chunk, chunks.size);
    uint place = places[get_group_id(0)];
    for (uint tile = first; tile < end; tile += 4 * LEAVES) {
        uint kept[LOADS];
#pragma unroll
        for (uint load = 0; load < LOADS; load++) {
            kept[load] = kept_of(in, flags, tile + 4 * (load * GROUP + item), end);
            sums[AT(load * GROUP + item)] = popcount(kept[load]);
        }
        const uint total = scan_group(sums, item);
#pragma unroll
        for (uint load = 0; load < LOADS; load++) {
            uint to = place + sums[AT(load * GROUP + item)];
            for (uint i = 0; i < 4; i++)
                if (kept[load] & 1u << i) out[to++] = in[tile + 4 * (load * GROUP + item) + i];
        }
        place += total;
    }
}

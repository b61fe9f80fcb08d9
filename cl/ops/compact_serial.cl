// compact_serial: for a CPU: a work-item walks along a chunk. The -D macros are those of compact.cl.

#include "compact.cl"

kernel void count_kept(global const ELEMENT *in, global const uchar *flags, global uint *counts,
                       const Chunks chunks)
{
    const uint first = get_global_id(0) * chunks.chunk;
    const uint end = min(first + chunks.chunk, chunks.size);
    uint count = 0;
    for (uint index = first; index < end; index++) count += is_kept(in[index], index, flags);
    counts[get_global_id(0)] = count;
}

/// places[chunk]: where the chunk's first one goes; the next chunk's is where it ends. Every element
/// is written and overwritten unless it is kept: cheaper than a branch that cannot be predicted.
kernel void write_kept(global const ELEMENT *in, global const uchar *flags, global ELEMENT *out,
                       global const uint *places, const Chunks chunks)
{
    uint to = places[get_global_id(0)];
    const uint to_end = places[get_global_id(0) + 1];
    for (uint index = get_global_id(0) * chunks.chunk; to < to_end; index++) {
        const ELEMENT value = in[index];
        out[to] = value;
        to += is_kept(value, index, flags);
    }
}

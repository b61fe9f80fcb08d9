// peak_copy: one buffer into another, a vector a work-item, to see what memory can reach.

#ifndef VECTOR
#define VECTOR float4
#endif

kernel void peak_copy(global const VECTOR *from, global VECTOR *to, const uint vectors)
{
    const uint i = get_global_id(0);
    if (i < vectors) to[i] = from[i];
}

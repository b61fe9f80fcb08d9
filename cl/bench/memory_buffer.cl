// memory_buffer: reads a buffer once, WIDTH floats a load, and adds them up, so that none is spared.
//
// -DOFFSET=n starts n floats past the buffer's first one: misaligned, unless a multiple of WIDTH.

#include "memory_walks.cl"

#if WIDTH == 1
typedef float Floats;
#else
#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
typedef JOIN(float, WIDTH) Floats;
#endif

Floats load(global const float *in, const uint p)
{
#if WIDTH == 1
    return in[OFFSET + p];
#elif OFFSET % WIDTH == 0
    return ((global const Floats *)(in + OFFSET))[p];
#else
    return JOIN(vload, WIDTH)(p, in + OFFSET);
#endif
}

/// Each work-item makes `loads` loads; `size` elements of WIDTH floats are as many as all make.
kernel void read_memory(global const float *in, global float *sums, const uint loads, const uint size)
{
    const uint items = get_global_size(0);
    Floats sum = 0;
    for (uint i = 0; i < loads; i += UNDER_WAY)
#pragma unroll
        for (uint j = 0; j < UNDER_WAY; ++j) sum += load(in, place((i + j) * items + (uint)get_global_id(0), size));
    float lanes[WIDTH];
#if WIDTH == 1
    lanes[0] = sum;
#else
    JOIN(vstore, WIDTH)(sum, 0, lanes);
#endif
    float total = 0;
    for (uint i = 0; i < WIDTH; ++i) total += lanes[i];
    sums[get_global_id(0)] = total;
}

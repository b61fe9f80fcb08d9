// memory_image: memory_buffer's reads, through an image object: four floats a texel.
//
// STRIDED with the image's width walks down its columns.

#include "memory_walks.cl"

constant sampler_t whole_texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void read_memory(read_only image2d_t in, global float *sums, const uint loads, const uint size)
{
    const uint items = get_global_size(0);
    const uint width = get_image_width(in); // a power of two
    const uint shift = 31 - clz(width);
    float4 sum = 0;
    for (uint i = 0; i < loads; i += UNDER_WAY)
#pragma unroll
        for (uint j = 0; j < UNDER_WAY; ++j) {
            const uint p = place((i + j) * items + (uint)get_global_id(0), size);
            sum += read_imagef(in, whole_texels, (int2)(p & (width - 1), p >> shift));
        }
    sums[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

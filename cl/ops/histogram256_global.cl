// histogram256_global: a work-item a pixel, counted in global memory at once.

#include "ops_launch.h"

kernel void histogram256(global const uchar *pixels, global uint *histograms, const HistogramImage size)
{
    const uint pixel = get_global_id(0);
    const uint image = get_global_id(1);
    if (pixel >= size.width * size.height) return;
    const size_t row = (size_t)image * size.height + pixel / size.width;
    atomic_inc(&histograms[image * 256 + pixels[row * size.pitch + pixel % size.width]]);
}

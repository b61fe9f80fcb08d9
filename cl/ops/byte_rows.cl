// byte_rows: 8-bit images, sixteen pixels at a step.
//
// An image is a number of rows, each of whole vectors and perhaps a shorter one at its end
// (docs/operations/histogram256.md). -DALIGNED: whether every row starts at a multiple of sixteen bytes.

#include "ops_launch.h"

/// Sixteen pixels, four in each number: compilers take vectors of bytes apart, of numbers they do not.
uint4 load_pixels(global const uchar *from)
{
    return ALIGNED ? *(global const uint4 *)from : as_uint4(vload16(0, from));
}

void store_pixels(global uchar *to, const uint4 pixels)
{
    if (ALIGNED)
        *(global uint4 *)to = pixels;
    else
        vstore16(as_uchar16(pixels), 0, to);
}

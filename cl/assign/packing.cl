// packing: shared by the kernels that bring centroids into a level's own form, where a device moved
// them and the host does not know them.
//
// The extent of the centroids is EXTENT_SIZE numbers, all zero before the first kernel: largest
// values of floats, as their bits, which compare as the floats do. They are rounded up, so
// that what the host makes of them is a bound.

#include "assign_launch.h"

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

/// Raises a number of the extent to the root of a sum of squares.
void raise_to_root(global uint *number, const double square)
{
    atomic_max(number, as_uint(convert_float_rtp(sqrt(square))));
}

/// matrix_scale() of matrix_centroids.cpp.
float matrix_scale(global const uint *extent)
{
    const double longest = as_float(extent[EXTENT_NORM]);
    return longest == 0 ? 1 : (float)ldexp(1.0, clamp(6 - ilogb(longest), -126, 120));
}

/// In fp16, rounded to nearest.
ushort half_bits(const float value)
{
    ushort bits;
    vstore_half_rte(value, 0, (private half *)&bits);
    return bits;
}

float from_half(const ushort bits)
{
    return vload_half(0, (private const half *)&bits);
}

// probe_float64: float64 operations and conversions on operands that show how they are rounded.

#include "probe_launch.h"

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

/// @param operands [3][n]
/// @param floats   [n] to be widened
/// @param results  [FLOAT64_RESULTS][n]
/// @param narrowed [n] the first operands in float32
kernel void probe_float64(global const double *operands, global const float *floats, const uint n,
                          global double *results, global float *narrowed)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    const double a = operands[i];
    const double b = operands[n + i];
    const double c = operands[2 * n + i];
    results[i] = a + b;
    results[n + i] = a - b;
    results[2 * n + i] = a * b;
    results[3 * n + i] = a * b + c; // rounded twice
    results[4 * n + i] = a / b;
    results[5 * n + i] = sqrt(fabs(a));
    results[6 * n + i] = (double)floats[i];
    results[7 * n + i] = (double)(long)as_ulong(a);
    narrowed[i] = (float)a;
}

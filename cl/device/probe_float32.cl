// probe_float32: float32 operations on operands that show how they are rounded.

#include "probe_launch.h"

#pragma OPENCL FP_CONTRACT OFF

/// @param operands [3][n]
/// @param results  [FLOAT32_RESULTS][n]
/// @param integers [n] the first operands, rounded
kernel void probe_float32(global const float *operands, const uint n, global float *results,
                          global long *integers)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    const float a = operands[i];
    const float b = operands[n + i];
    const float c = operands[2 * n + i];
    results[i] = a + b;
    results[n + i] = a - b;
    results[2 * n + i] = a * b;
    results[3 * n + i] = a * b + c; // rounded twice
    integers[i] = convert_long(rint(a));
}

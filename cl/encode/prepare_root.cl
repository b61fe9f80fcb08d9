// prepare_root: signed square roots of a row's values, then unit length. The squares of roots add up to
// the magnitudes. Each operation is rounded on its own, in the host's order.

#pragma OPENCL FP_CONTRACT OFF

#include "exact_root.cl"

/// The factor that brings each row's roots to unit length.
kernel void measure_roots(global const float *rows, const uint pitch, const uint size,
                          global const uint *count, global float *factors)
{
    const size_t row = get_global_id(0);
    if (row >= *count) return;
    float sum = fabs(rows[row * pitch]);
    for (uint i = 1; i < size; i++) sum = sum + fabs(rows[row * pitch + i]);
    factors[row] = sum == 0 ? 0.0f : exact_reciprocal(exact_root(sum)); // zeros stay
}

kernel void take_roots(global float *rows, const uint pitch, const uint size,
                       global const uint *count, global const float *factors)
{
    const size_t row = get_global_id(0) / size;
    if (row >= *count) return;
    global float *value = rows + row * pitch + get_global_id(0) % size;
    const uint sign = as_uint(*value) & 0x80000000u;
    const float root = exact_root(fabs(*value)) * factors[row];
    *value = as_float(as_uint(root) | sign);
}

// convert: grey values from bytes to float32 and back.
//
// Back means to the nearest (a half to the even one), held in 0 … 255. MAGNITUDE 1 takes the
// absolute value first: a gradient's strength, whichever its direction.

#ifndef MAGNITUDE
#define MAGNITUDE 0
#endif

kernel void to_floats(global const uchar *restrict in, global float *restrict out, const int width,
                      const int rows, const int in_pitch, const int out_pitch)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < width && y < rows) out[(size_t)y * out_pitch + x] = in[(size_t)y * in_pitch + x];
}

kernel void to_bytes(global const float *restrict in, global uchar *restrict out, const int width,
                     const int rows, const int in_pitch, const int out_pitch)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= rows) return;
    const float value = in[(size_t)y * in_pitch + x];
    out[(size_t)y * out_pitch + x] = convert_uchar_sat_rte(MAGNITUDE ? fabs(value) : value);
}

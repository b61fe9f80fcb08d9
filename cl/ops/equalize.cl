// equalize: a table of new grey values for each image, and its look-up.
//
// Level v becomes 255 (c(v) - c(m)) / (c(255) - c(m)), rounded to the nearest even, where c is the
// cumulative histogram and m the darkest level that occurs: the formula and the float32 roundings of
// OpenCV's equalizeHist. An image of one level stays as it is.
//
// -DGROUP: work-items a group of the look-up. -DALIGNED as in byte_rows.cl.

#include "byte_rows.cl"

/// 255 / divisor to the nearest float: OpenCL allows a division two units in the last place of error.
/// The remainder that fma leaves is exact, so the least one marks the nearest quotient.
float scale_for(const float divisor)
{
    const float rough = 255.0f / divisor;
    float nearest = rough;
    for (int step = -3; step <= 3; step++) {
        const float quotient = as_float(as_int(rough) + step);
        if (fabs(fma(-quotient, divisor, 255.0f)) < fabs(fma(-nearest, divisor, 255.0f)))
            nearest = quotient;
    }
    return nearest;
}

/// The darkest level that occurs: the first with a count, found by halving.
uint darkest_of(global const uint *cumulative)
{
    uint darkest = 0;
    for (uint half_size = 128; half_size > 0; half_size /= 2)
        if (cumulative[darkest + half_size - 1] == 0) darkest += half_size;
    return darkest;
}

/// A work-item a level and image: tables[image][level] from the cumulative histograms.
kernel void make_tables(global const uint *cumulative, global uchar *tables, const uint images)
{
    const uint image = get_global_id(0) / 256;
    const uint level = get_global_id(0) % 256;
    if (image >= images) return;
    cumulative += image * 256;
    const uint darkest = darkest_of(cumulative);
    const uint above = cumulative[255] - cumulative[darkest]; // pixels brighter than the darkest
    const uint below = level > darkest ? cumulative[level] - cumulative[darkest] : 0;
    tables[image * 256 + level] =
        above == 0 ? level : convert_uchar_sat_rte((float)below * scale_for((float)above));
}

/// Four pixels looked up.
uint look_up_four(local const uchar *table, const uint pixels)
{
    return (uint)table[pixels & 255] | (uint)table[pixels >> 8 & 255] << 8 |
           (uint)table[pixels >> 16 & 255] << 16 | (uint)table[pixels >> 24] << 24;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void look_up(global const uchar *in, global uchar *out, global const uchar *tables,
             const ByteRows rows)
{
    local uchar table[256];
    const uint image = get_group_id(1);
    for (uint i = get_local_id(0); i < 256; i += GROUP) table[i] = tables[image * 256 + i];
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint first = get_group_id(0) * rows.run;
    const uint end = min(first + rows.run, rows.vectors * rows.height);
    in += (size_t)image * rows.height * rows.in_pitch;
    out += (size_t)image * rows.height * rows.out_pitch;
    for (uint vector = first + get_local_id(0); vector < end; vector += GROUP) {
        const uint x = vector % rows.vectors * 16;
        const uint y = vector / rows.vectors;
        global const uchar *from = in + (size_t)y * rows.in_pitch;
        global uchar *to = out + (size_t)y * rows.out_pitch;
        if (x + 16 <= rows.width) {
            const uint4 p = load_pixels(from + x);
            store_pixels(to + x,
                         (uint4)(look_up_four(table, p.x), look_up_four(table, p.y),
                                 look_up_four(table, p.z), look_up_four(table, p.w)));
        } else {
            for (uint i = x; i < rows.width; i++) to[i] = table[from[i]];
        }
    }
}

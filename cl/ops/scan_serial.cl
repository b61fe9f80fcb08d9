// scan_serial: prefix sums for a CPU: a work-item walks along a row, sixteen elements a step.
//
// The tree is four shifts and additions within a vector. The -D macros are those of scan_rows.cl.

#include "scan_rows.cl"

#define TYPE16 VECTOR(TYPE, 16)
#include "add_up.cl"

kernel void scan_rows(global const INPUT *in, global TYPE *out, global const TYPE *carries,
                      const ScanRows rows)
{
    const uint row = get_global_id(0);
    const uint width = width_of(rows, row);
    in += (size_t)row * rows.in_pitch;
    out += (size_t)row * rows.out_pitch;

    TYPE carry = rows.carried ? carries[row] : 0;
    uint x = 0;
    for (; x + 16 <= width; x += 16) {
        const TYPE16 sums = add_up(CONVERT(TYPE, 16)(vload16(0, in + x)));
        const TYPE16 within =
            rows.inclusive ? sums : (TYPE16)(0, sums.s01234567, sums.s89ab, sums.scd, sums.se);
        vstore16(within + carry, 0, out + x);
        carry += sums.sf;
    }
    for (; x < width; x++) {
        const TYPE value = in[x];
        out[x] = rows.inclusive ? carry + value : carry;
        carry += value;
    }
    if (rows.extra) out[width] = carry;
}

/// The sum of each row.
kernel void sum_rows(global const INPUT *in, global TYPE *totals, const ScanRows rows)
{
    const uint row = get_global_id(0);
    const uint width = width_of(rows, row);
    in += (size_t)row * rows.in_pitch;

    TYPE16 sums = 0;
    uint x = 0;
    for (; x + 16 <= width; x += 16) sums += CONVERT(TYPE, 16)(vload16(0, in + x));
    TYPE total = add_up(sums).sf;
    for (; x < width; x++) total += in[x];
    totals[row] = total;
}

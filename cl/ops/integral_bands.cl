// integral_bands: integral images for a CPU: a work-item walks down a band of rows.
//
// A row of sums is the row above and the row's own prefix sums. The sums above a band come from a
// first pass that adds up the bands' columns.

#include "ops_launch.h"

#define TYPE16 uint16
#include "add_up.cl"

/// totals[band][x]: the sum of the band's pixels in columns 0 … x.
kernel void sum_bands(global const uchar *pixels, global uint *totals, const Bands bands)
{
    const uint number = get_global_id(0); // of a band, all images counted through
    const uint first = number % bands.bands * bands.band;
    const uint end = min(first + bands.band, bands.height);
    pixels += (size_t)(number / bands.bands) * bands.height * bands.in_pitch;
    totals += (size_t)number * bands.width;

    for (uint x = 0; x < bands.width; x++) totals[x] = 0;
    for (uint y = first; y < end; y++) {
        global const uchar *row = pixels + (size_t)y * bands.in_pitch;
        uint x = 0;
        for (; x + 16 <= bands.width; x += 16)
            vstore16(vload16(0, totals + x) + convert_uint16(vload16(0, row + x)), 0, totals + x);
        for (; x < bands.width; x++) totals[x] += row[x];
    }
    for (uint x = 1; x < bands.width; x++) totals[x] += totals[x - 1];
}

/// sums[y + 1][x + 1]: the sum of pixels 0 … x of rows 0 … y; the first row and column are zero.
/// `above` is scratch: width sums a band.
kernel void integrate_bands(global const uchar *pixels, global uint *sums,
                            global const uint *totals, global uint *above, const Bands bands)
{
    const uint number = get_global_id(0);
    const uint image = number / bands.bands;
    const uint band = number % bands.bands;
    const uint first = band * bands.band;
    const uint end = min(first + bands.band, bands.height);
    pixels += (size_t)image * bands.height * bands.in_pitch;
    sums += (size_t)image * (bands.height + 1) * bands.out_pitch;
    totals += (size_t)image * bands.bands * bands.width;
    above += (size_t)number * bands.width;

    for (uint x = 0; x < bands.width; x++) above[x] = 0;
    for (uint other = 0; other < band; other++)
        for (uint x = 0; x < bands.width; x++) above[x] += totals[(size_t)other * bands.width + x];
    if (band == 0)
        for (uint x = 0; x <= bands.width; x++) sums[x] = 0;

    for (uint y = first; y < end; y++) {
        global const uchar *row = pixels + (size_t)y * bands.in_pitch;
        global uint *out = sums + (size_t)(y + 1) * bands.out_pitch;
        out[0] = 0;
        out++;
        uint carry = 0;
        uint x = 0;
        for (; x + 16 <= bands.width; x += 16) {
            const uint16 within = add_up(convert_uint16(vload16(0, row + x)));
            vstore16(vload16(0, above + x) + within + carry, 0, out + x);
            carry += within.sf;
        }
        for (; x < bands.width; x++) {
            carry += row[x];
            out[x] = above[x] + carry;
        }
        above = out;
    }
}

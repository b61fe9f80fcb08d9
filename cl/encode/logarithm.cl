// logarithm: that of core/logarithm.cpp, step by step.

#include "float64.cl"

/// 1/15, 1/13, ... 1/1
constant ulong inverse_odds[8] = {0x3FB1111111111111UL, 0x3FB3B13B13B13B14UL, 0x3FB745D1745D1746UL,
                                  0x3FBC71C71C71C71CUL, 0x3FC2492492492492UL, 0x3FC999999999999AUL,
                                  0x3FD5555555555555UL, 0x3FF0000000000000UL};

Float64 logarithm_of_2(const Float64 x)
{
    // from 2^-64 to 2^64, as part * 2^exponent, with part in [1/2, 1)
    const bool too_small = x.significand == 0 || x.negative || x.exponent < -64 - 52;
    const bool too_large = !too_small && x.exponent >= 64 - 52;
    const ulong significand = too_small || too_large ? 1UL << 52 : x.significand;
    const int exponent = too_small ? -64 + 1 : too_large ? 64 + 1 : x.exponent + 53;
    const int doubles = significand < 0x16A09E667F3BCDUL; // the root of 1/2
    const Float64 part = {significand, -53 + doubles, 0};
    const Float64 above = sum64(part, constant64(0x3FF0000000000000UL));
    const Float64 below = sum64(part, constant64(0xBFF0000000000000UL));
    const Float64 s = quotient64(below, above);
    const Float64 square = product64(s, s);
    Float64 series = {0, 0, 0};
    for (int i = 0; i < 8; i++)
        series = sum64(product64(series, square), constant64(inverse_odds[i]));
    const Float64 two_over_ln_2 = constant64(0x40071547652B82FEUL);
    return sum64(from_int(exponent - doubles), product64(two_over_ln_2, product64(s, series)));
}

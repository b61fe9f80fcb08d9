// float64: sums, products and quotients of float64, correctly rounded, in whole numbers.
//
// For devices without fp64, and with one of their own making. Neither infinity nor NaN: every number is
// between 2^-200 and 2^200, or 0. There is one 0. No function changes its parameters: Mesa 22.3 would
// change the caller's structs, too.

/// significand * 2^exponent; the significand has 53 bits, or is 0.
typedef struct {
    ulong significand;
    int exponent;
    int negative;
} Float64;

/// The nearest to bits * 2^exponent; of two the even one. The last bit of `bits` may stand for smaller
/// ones that were dropped: 55 bits are exact.
Float64 nearest64(ulong bits, const int exponent, const int negative)
{
    Float64 result = {0, 0, 0};
    if (bits == 0) return result;
    const int zeros = (int)clz(bits);
    bits <<= zeros;
    const uint rest = (uint)bits & 2047u;
    ulong kept = bits >> 11;
    if (rest > 1024u || (rest == 1024u && (kept & 1) != 0)) kept++;
    const int carried = (int)(kept >> 53);
    result.significand = kept >> carried;
    result.exponent = exponent - zeros + 11 + carried;
    result.negative = negative;
    return result;
}

/// From its IEEE 754 bits, normal ones.
Float64 constant64(const ulong bits)
{
    const Float64 result = {(bits & 0xFFFFFFFFFFFFFUL) | 0x10000000000000UL,
                            (int)(bits >> 52 & 2047) - 1075, (int)(bits >> 63)};
    return result;
}

Float64 from_int(const int x)
{
    return nearest64((ulong)abs(x), 0, x < 0);
}

/// @param x  finite
Float64 from_float(const float x)
{
    const uint bits = as_uint(x);
    const int exponent = bits >> 23 & 255;
    const uint significand = bits & 0x7FFFFFu;
    return nearest64(exponent > 0 ? significand | 0x800000u : significand, max(exponent, 1) - 150,
                     (int)(bits >> 31));
}

/// The nearest float32, which is a normal one or 0.
float to_float(const Float64 x)
{
    if (x.significand == 0) return 0.0f;
    const uint rest = (uint)x.significand & 0x1FFFFFFFu;
    uint kept = (uint)(x.significand >> 29);
    if (rest > 0x10000000u || (rest == 0x10000000u && (kept & 1) != 0)) kept++;
    const float size = (float)kept * as_float((uint)(x.exponent + 29 + 127) << 23);
    return x.negative ? -size : size;
}

Float64 sum64(const Float64 a, const Float64 b)
{
    if (a.significand == 0) return b;
    if (b.significand == 0) return a;
    const bool a_leads = a.exponent >= b.exponent;
    const Float64 first = a_leads ? a : b;
    const Float64 second = a_leads ? b : a;
    const int apart = min(first.exponent - second.exponent, 63);
    const ulong high = first.significand << 10;
    const ulong exact = second.significand << 10;
    const ulong low = exact >> apart | ((exact & ((1UL << apart) - 1)) != 0);
    const int exponent = first.exponent - 10;
    if (first.negative == second.negative) return nearest64(high + low, exponent, first.negative);
    if (high >= low) return nearest64(high - low, exponent, first.negative);
    return nearest64(low - high, exponent, second.negative);
}

Float64 product64(const Float64 a, const Float64 b)
{
    const ulong x = a.significand << 11;
    const ulong y = b.significand << 11;
    return nearest64(mul_hi(x, y) | (x * y != 0), a.exponent + b.exponent + 42,
                     a.negative ^ b.negative);
}

/// @param b  not 0
Float64 quotient64(const Float64 a, const Float64 b)
{
    ulong quotient = 0;
    ulong rest = a.significand;
    for (int bit = 0; bit < 60; bit++) {
        const bool fits = rest >= b.significand;
        quotient = 2 * quotient + fits;
        rest = 2 * (fits ? rest - b.significand : rest);
    }
    return nearest64(quotient | (rest != 0), a.exponent - b.exponent - 59, a.negative ^ b.negative);
}

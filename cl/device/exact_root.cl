// exact_root: square roots and reciprocals of float32, correctly rounded, as IEEE 754 demands of hosts.
//
// A device's own may differ in the last bit. Here a guess is corrected in whole numbers, so that neither
// the device's rounding nor flushed subnormals change a result.

/// 2^power, within float32's normal numbers.
float power_of_2(const int power)
{
    return as_float((uint)(power + 127) << 23);
}

/// @param x  0 or positive; infinity, too
float exact_root(const float x)
{
    const uint bits = as_uint(x);
    if (bits == 0 || bits >= 0x7F800000u) return x;
    uint significand = bits & 0x7FFFFFu;
    int exponent = bits >> 23;
    if (exponent > 0) {
        significand |= 0x800000u;
    } else { // subnormal
        const int shift = (int)clz(significand) - 8;
        significand <<= shift;
        exponent = 1 - shift;
    }
    // x = square * 2^(2 power), and the root of square is in [2^23, 2^24]
    const int shift = (exponent & 1) != 0 ? 23 : 24;
    const int power = (exponent - 150 - shift) / 2;
    const ulong square = (ulong)significand << shift;
    const float guess = sqrt((float)significand * power_of_2(shift - 46)) * 8388608.0f;
    ulong root = (ulong)(uint)guess;
    while (root * root + root < square) root++; // (root + 1/2)^2 is no whole number: there are no ties
    while (root * root - root >= square) root--;
    return (float)(uint)root * power_of_2(power);
}

/// @param x  a root as exact_root() makes them, but 0; of infinity 0
float exact_reciprocal(const float x)
{
    const uint bits = as_uint(x);
    if (bits == 0x7F800000u) return 0.0f;
    const ulong significand = (bits & 0x7FFFFFu) | 0x800000u;
    const ulong quotient = ((1UL << 48) + significand) / (2 * significand); // of 2^47, rounded
    return (float)(uint)quotient * power_of_2(103 - (int)(bits >> 23));
}

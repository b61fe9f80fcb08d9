// rounded: functions of operations that round alike everywhere. OpenCL C and C++.
//
// IEEE 754 rounds sums, differences and products in one way; a device's own division and roots are
// free to differ. A file that includes this forbids fused multiply-adds.

/// 1/sqrt(x) of a positive x to the last bit or two: Newton's iteration.
static inline float inverse_root(const float x)
{
    float root = as_float(0x5F3759DF - as_int(x) / 2);
    for (int i = 0; i < 3; i++) root = root * (1.5f - (0.5f * x * root) * root);
    return root;
}

/// 1/x of a positive x to the last bit or two: Newton's iteration.
static inline float reciprocal(const float x)
{
    float inverse = as_float(0x7EF311C7 - as_int(x));
    for (int i = 0; i < 4; i++) inverse = inverse * (2.0f - x * inverse);
    return inverse;
}

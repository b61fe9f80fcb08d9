// unit: how a matrix unit sums a block of products, bit for bit, after MMA-Sim (Xie, Yang, Wang, Yang,
// arXiv 2511.10909).
//
// The products of fp16 are exact. They and the sum so far are aligned to the largest nominal
// exponent among them and cut off FRACTION bits below it; the exact sum of what is left is cut off
// to a float32. The nominal exponent of a product is the sum of its factors' exponents, whatever
// their fractions; a subnormal number counts as 2^-14 in fp16, as 2^-126 in float32.
//
// PRODUCTS a block and FRACTION: 8 and 24 on Ampere and Ada, 16 and 25 on Hopper and Blackwell.
// LEAST: what is smaller in fp16 counts as zero; 0 on all of these.

#include "unit_shape.cl"

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

int exponent_of(const float value, const int least)
{
    return max((int)(as_uint(value) >> 23 & 255) - 127, least);
}

/// The value without what is less than 2^place.
double cut(const double value, const int place)
{
    const double unit = as_double((ulong)(place + 1023) << 52);
    return trunc(value / unit) * unit;
}

float sum_of_block(const float sum, const private float *x, const private float *c)
{
    double product[PRODUCTS];
    int largest = exponent_of(sum, -126);
    for (uint i = 0; i < PRODUCTS; i++) {
        const bool kept = fabs(x[i]) >= LEAST && fabs(c[i]) >= LEAST;
        product[i] = kept ? (double)x[i] * c[i] : 0;
        if (product[i] != 0)
            largest = max(largest, exponent_of(x[i], -14) + exponent_of(c[i], -14));
    }
    double block = cut(sum, largest - FRACTION);
    for (uint i = 0; i < PRODUCTS; i++) block += cut(product[i], largest - FRACTION);
    return (float)cut(block, max(ilogb(block), -126) - 23);
}

// rule: the squared distance by which words are decided (docs/words.md), to the letter.
//
// The sum over i, in order, of ((double)x[i] - (double)c[i])^2, each operation rounded on its own.
// Programs that include this are built without any option that touches arithmetic.
//
// DIMENSIONS: of a descriptor. If it is a multiple of 4, rows start at multiples of 16 bytes and
// are read as float4s; the order of the sum is the same.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

double add_square(const double sum, const float x, const float c)
{
    const double difference = (double)x - (double)c;
    const double square = difference * difference;
    return sum + square;
}

double squared_distance(global const float *x, global const float *c)
{
    double sum = 0;
#if DIMENSIONS % 4 == 0
    for (uint i = 0; i < DIMENSIONS / 4; i++) {
        const float4 from = ((global const float4 *)x)[i];
        const float4 to = ((global const float4 *)c)[i];
        sum = add_square(sum, from.x, to.x);
        sum = add_square(sum, from.y, to.y);
        sum = add_square(sum, from.z, to.z);
        sum = add_square(sum, from.w, to.w);
    }
#else
    for (uint i = 0; i < DIMENSIONS; i++) sum = add_square(sum, x[i], c[i]);
#endif
    return sum;
}

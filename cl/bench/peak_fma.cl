// peak_fma: fused multiply-adds out of registers and nothing else, to see what arithmetic can reach.
//
// CHAINS chains that do not wait for each other keep the unit busy.

#ifndef VECTOR
#define VECTOR float // as wide as the device likes
#endif

kernel void peak_fma(const uint steps, const float factor, const float addend, global VECTOR *out)
{
    const VECTOR factors = (VECTOR)(factor);
    const VECTOR addends = (VECTOR)(addend);
    VECTOR sums[CHAINS];
#pragma unroll
    for (uint chain = 0; chain < CHAINS; chain++)
        sums[chain] = (VECTOR)((float)(get_global_id(0) + chain));
    for (uint step = 0; step < steps; step++) {
#pragma unroll
        for (uint chain = 0; chain < CHAINS; chain++)
            sums[chain] = fma(sums[chain], factors, addends);
    }
    VECTOR total = sums[0];
#pragma unroll
    for (uint chain = 1; chain < CHAINS; chain++) total += sums[chain];
    out[get_global_id(0)] = total; // else the compiler would leave the work out
}

// gpu3: four dimensions a step in a float4, on transposed descriptors.
//
// Vector units get whole vectors, others get four independent loads in flight. (Listing 9.5.)

#include "screen.cl"

kernel void assign(global const float *descriptors, global const uint *count,
                   global const float *centroids, const LadderPass pass,
                   global Candidate *carried, global const uint *bag, global int *words,
                   global uint *histograms, global uint *unproven)
{
    const uint row = get_global_id(0);
    if (row >= *count) return;

    Candidate candidate = resume(pass, carried, row);
    for (uint j = 0; j < pass.count; j++) {
        float distance = 0;
        for (uint i = 0; i < DIMENSIONS; i += 4) {
            const float4 descriptor = (float4)(descriptors[(i + 0) * pass.capacity + row],
                                               descriptors[(i + 1) * pass.capacity + row],
                                               descriptors[(i + 2) * pass.capacity + row],
                                               descriptors[(i + 3) * pass.capacity + row]);
            const float4 difference = descriptor - vload4(0, &centroids[j * DIMENSIONS + i]);
            const float4 square = difference * difference;
            distance += square.x + square.y + square.z + square.w;
        }
        candidate = offer(candidate, distance, pass.first + j);
    }
    settle(candidate, pass, row, carried, bag, words, histograms, unproven);
}

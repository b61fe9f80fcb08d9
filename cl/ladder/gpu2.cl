// gpu2: transposed descriptors, so that neighboring work-items read neighboring floats.
//
// A group's loads fall together into whole lines of memory (they coalesce). (Listing 9.4.)

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
        for (uint i = 0; i < DIMENSIONS; i++) {
            const float difference =
                descriptors[i * pass.capacity + row] - centroids[j * DIMENSIONS + i];
            distance += difference * difference;
        }
        candidate = offer(candidate, distance, pass.first + j);
    }
    settle(candidate, pass, row, carried, bag, words, histograms, unproven);
}

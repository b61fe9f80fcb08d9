// gpu1: one work-item a descriptor, everything read from global memory as it lies.
//
// Neighboring work-items read addresses DIMENSIONS floats apart, so that a GPU fetches a line of
// memory for each: the fault that gpu2 repairs. (Listing 9.3.)

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
                descriptors[row * DIMENSIONS + i] - centroids[j * DIMENSIONS + i];
            distance += difference * difference;
        }
        candidate = offer(candidate, distance, pass.first + j);
    }
    settle(candidate, pass, row, carried, bag, words, histograms, unproven);
}

// gpu4: a group's descriptors in local memory, read from there once for each centroid.
//
// Column by column, as gpu2 reads them: each work-item finds its own column, neighbors hit
// neighboring banks. The price is occupancy: DIMENSIONS * GROUP floats a group. (Listing 9.6.)

#include "screen.cl"

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign(global const float *descriptors, global const uint *count,
            global const float *centroids, const LadderPass pass, global Candidate *carried,
            global const uint *bag, global int *words, global uint *histograms,
            global uint *unproven)
{
    local float group_descriptors[DIMENSIONS * GROUP];
    const uint n = *count;
    const uint row = get_global_id(0);
    const uint column = get_local_id(0);
    for (uint i = 0; i < DIMENSIONS; i++)
        group_descriptors[i * GROUP + column] =
            row < n ? descriptors[i * pass.capacity + row] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row >= n) return; // not before the barrier: every work-item of a group must meet there

    Candidate candidate = resume(pass, carried, row);
    for (uint j = 0; j < pass.count; j++) {
        float distance = 0;
        for (uint i = 0; i < DIMENSIONS; i++) {
            const float difference =
                group_descriptors[i * GROUP + column] - centroids[j * DIMENSIONS + i];
            distance += difference * difference;
        }
        candidate = offer(candidate, distance, pass.first + j);
    }
    settle(candidate, pass, row, carried, bag, words, histograms, unproven);
}

// farthest_rows: each group's largest squared distance of a row to its word. -DDIMENSIONS.

#include "rule.cl"
#include "train_launch.h"

/// @param words     each row's
/// @param farthest  a distance for each group of FARTHEST_GROUP rows
kernel __attribute__((reqd_work_group_size(FARTHEST_GROUP, 1, 1)))
void farthest_rows(global const float *values, global const int *words, const uint rows,
                   const uint k, global const float *centroids, global double *farthest)
{
    local double distances[FARTHEST_GROUP];
    const uint item = get_local_id(0);
    const size_t row = get_global_id(0);
    double distance = 0;
    if (row < rows) {
        const size_t word = min((uint)words[row], k - 1);
        distance = squared_distance(values + row * DIMENSIONS, centroids + word * DIMENSIONS);
    }
    distances[item] = distance;
    for (uint apart = FARTHEST_GROUP / 2; apart > 0; apart /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < apart) distances[item] = fmax(distances[item], distances[item + apart]);
    }
    if (item == 0) farthest[get_group_id(0)] = distances[0];
}

// decide: the rule itself (docs/words.md), for the rows that a level could not prove.
//
// The smallest squared distance wins, of equal ones the lowest centroid. One group a row: its
// work-items share out the centroids, then the nearest is found in a tree.
//
// Each work-item keeps the number behind the centroid that it saw last (last_seen.cl). The row gets
// no word, which the host reports, if a work-item did not see all.

#include "assign_launch.h"
#include "rule.cl"

kernel __attribute__((reqd_work_group_size(DECIDE_GROUP, 1, 1)))
void decide(global const float *descriptors, global const float *centroids, const uint k,
            global const uint *bag, global int *words, global uint *histograms,
            global const uint *unproven)
{
    local double nearest_distance[DECIDE_GROUP];
    local uint nearest_word[DECIDE_GROUP];
    const uint item = get_local_id(0);

    for (uint u = get_group_id(0); u < unproven[0]; u += get_num_groups(0)) {
        const uint row = unproven[1 + u];
        double best = INFINITY;
        uint word = item; // ties go to the lowest: where no distance is finite, word 0 remains
        uint behind_last = item;
        for (uint j = item; j < k; j += DECIDE_GROUP) {
            const double distance = squared_distance(descriptors + (size_t)row * DIMENSIONS,
                                                     centroids + (size_t)j * DIMENSIONS);
            if (distance < best) {
                best = distance;
                word = j;
            }
            const float seen = fabs(centroids[(size_t)j * DIMENSIONS]);
            behind_last = seen < INFINITY ? j + DECIDE_GROUP : behind_last;
        }
        if (behind_last < k) {
            best = -1; // nearer than any
            word = k;
        }
        nearest_distance[item] = best;
        nearest_word[item] = word;
        barrier(CLK_LOCAL_MEM_FENCE);

        for (uint half_size = DECIDE_GROUP / 2; half_size > 0; half_size /= 2) {
            if (item < half_size) {
                const double other = nearest_distance[item + half_size];
                const uint other_word = nearest_word[item + half_size];
                if (other < nearest_distance[item] ||
                    (other == nearest_distance[item] && other_word < nearest_word[item])) {
                    nearest_distance[item] = other;
                    nearest_word[item] = other_word;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (item == 0 && nearest_word[0] < k) {
            words[row] = (int)nearest_word[0];
            atomic_inc(&histograms[(size_t)bag[row] * k + nearest_word[0]]);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // the result is read before the next row overwrites it
    }
}

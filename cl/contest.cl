// contest: who is nearest among the few centroids that gpu7 could not tell apart.
//
// An entry names a row and up to sixteen contenders: two groups of eight neighbouring centroids,
// and a bit for each. Four work-items an entry take turns at them, in float32 with its proof
// (conversions to float64 are slow); where that is not enough, the rule decides. A group copies
// what its work-items compare into local memory first, so that rows are read as they lie.

#include "rule.cl"
#include "screen.cl"

#define GROUP 128
#define SHARE 4 // work-items an entry
#define ENTRIES (GROUP / SHARE)
#define NOBODY 0xffffffff
#define PART 32 // dimensions that local memory holds at once

/// Copies `part` of the descriptors and centroids that the group compares.
void fetch(global const float4 *descriptors, global const float4 *centroids, const uint part,
           local const uint *row, local const uint *centroid, local float x[ENTRIES][PART + 1],
           local float c[GROUP][PART + 1])
{
#pragma unroll
    for (uint turn = 0; turn < (ENTRIES + GROUP) * (PART / 4) / GROUP; turn++) {
        const uint i = turn * GROUP + get_local_id(0);
        const uint vector = i / (PART / 4);
        const uint quad = i % (PART / 4);
        const uint at = part * (PART / 4) + quad;
        const bool is_row = vector < ENTRIES;
        if (at >= DIMENSIONS / 4 || (!is_row && centroid[vector - ENTRIES] == NOBODY)) continue;
        const float4 value =
            is_row ? descriptors[(size_t)row[vector] * (DIMENSIONS / 4) + at]
                   : centroids[(size_t)centroid[vector - ENTRIES] * (DIMENSIONS / 4) + at];
        local float *to = is_row ? &x[vector][4 * quad] : &c[vector - ENTRIES][4 * quad];
        to[0] = value.x;
        to[1] = value.y;
        to[2] = value.z;
        to[3] = value.w;
    }
}

/// The centroid of the lowest bit.
uint contender(const uint4 contest, const uint bits)
{
    const uint bit = 31 - clz(bits & -bits);
    return 8 * (bit < 8 ? contest.y : contest.z) + bit % 8;
}

/// The nearest contender by the rule.
uint decide(const uint4 contest, global const float *descriptors, global const float *centroids)
{
    double best = INFINITY;
    uint word = 0xffffffff;
    for (uint left = contest.w; left != 0; left &= left - 1) {
        const uint centroid = contender(contest, left);
        const double distance = squared_distance(descriptors + (size_t)contest.x * DIMENSIONS,
                                                 centroids + (size_t)centroid * DIMENSIONS);
        // The groups come in any order: of equal ones the lower wins.
        if (distance < best || (distance == best && centroid < word)) {
            best = distance;
            word = centroid;
        }
    }
    return word;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void contest(global const float4 *descriptors, global const float4 *centroids,
             const float relative, const float absolute, global int *words,
             global const uint4 *contested)
{
    local float x[ENTRIES][PART + 1]; // + 1: neighbours read from different banks
    local float c[GROUP][PART + 1];
    local uint row[ENTRIES];
    local uint centroid[GROUP];
    local Candidate found[GROUP];
    local uint most;
    const uint item = get_local_id(0);
    const uint entries = contested[0].x;

    for (uint first = get_group_id(0) * ENTRIES; first < entries;
         first += get_num_groups(0) * ENTRIES) {
        const uint entry = first + item / SHARE;
        const uint4 contest = entry < entries ? contested[1 + entry] : (uint4)(0);
        if (item == 0) most = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        row[item / SHARE] = contest.x;
        atomic_max(&most, popcount(contest.w));
        barrier(CLK_LOCAL_MEM_FENCE);

        Candidate candidate = {INFINITY, INFINITY, 0};
        uint left = contest.w;
        for (uint before = 0; before < item % SHARE; before++) left &= left - 1;
        const uint turns = (most + SHARE - 1) / SHARE;
        for (uint turn = 0; turn < turns; turn++) {
            centroid[item] = left != 0 ? contender(contest, left) : NOBODY;
            float distance = 0;
#pragma unroll
            for (uint part = 0; part * PART < DIMENSIONS; part++) {
                barrier(CLK_LOCAL_MEM_FENCE);
                fetch(descriptors, centroids, part, row, centroid, x, c);
                barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
                for (uint i = 0; i < min((uint)PART, DIMENSIONS - part * PART); i++) {
                    const float difference = x[item / SHARE][i] - c[item][i];
                    distance += difference * difference;
                }
            }
            if (left != 0) candidate = offer(candidate, distance, centroid[item]);
            for (uint other = 0; other < SHARE; other++) left &= left - 1;
        }
        found[item] = candidate;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item % SHARE == 0 && entry < entries) {
            for (uint other = item + 1; other < item + SHARE; other++) {
                candidate = offer(candidate, found[other].best, (uint)found[other].word);
                candidate.second = fmin(candidate.second, found[other].second);
            }
            words[contest.x] =
                proven(candidate, relative, absolute)
                    ? candidate.word
                    : (int)decide(contest, (global const float *)descriptors,
                                  (global const float *)centroids);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // nobody starts over before everything is read
    }
}

// surf_find: maxima of responses in position and scale: first a bit for each, then the keypoints.

#pragma OPENCL FP_CONTRACT OFF

#include "extract_launch.h"
#include "find_part.cl"
#include "rounded.h"
#include "surf_launch.h"

/// The 3x3x3 responses around a sample. Number `own` of a search, row by row.
void load_around(global const float *responses, const SurfSearch search, const int own, float *v)
{
    const int x = search.margin + own % search.width;
    const int y = search.margin + own / search.width;
    global const float *at = responses + search.responses + (size_t)(y - 1) * search.pitch + x - 1;
#pragma unroll
    for (int i = 0; i < 27; i++)
        v[i] = at[(size_t)(i / 9) * search.plane + i / 3 % 3 * search.pitch + i % 3];
}

/// Above the threshold and all around it, of equal ones the first; and no keypoint of the next octave.
/// In the first layer searched the smaller filter's responses do not count.
bool is_keypoint(global const float *responses, const SurfSearch search, const int own)
{
    if (own >= search.width * search.height) return false;
    const int x = search.margin + own % search.width;
    const int y = search.margin + own / search.width;
    const float here =
        responses[search.responses + search.plane + (size_t)y * search.pitch + x];
    if (!(here > search.threshold)) return false;
    float v[27];
    load_around(responses, search, own, v);
    for (int i = 0; i < 27; i++)
        if ((i < 13 ? v[i] >= here : v[i] > here) && !(i < 9 && search.is_first)) return false;
    return !search.is_shared || v[4] >= v[22];
}

/// A bit for each sample, and how many are set in each word.
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void find(global const float *responses, global const SurfSearch *searches,
          global const uint *first_groups, const uint count, global uint *words,
          global uint *counts)
{
    local uint bits[SURF_GROUP / 32];
    const uint number = find_part(first_groups, count, get_group_id(0));
    const int own = (get_group_id(0) - first_groups[number]) * SURF_GROUP + get_local_id(0);
    const int item = get_local_id(0);
    if (item < SURF_GROUP / 32) bits[item] = 0;
    if (get_global_id(0) == 0) counts[get_num_groups(0) * (SURF_GROUP / 32)] = 0; // ends the scan
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_keypoint(responses, searches[number], own))
        atomic_or(&bits[item / 32], 1u << item % 32);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < SURF_GROUP / 32) {
        const size_t word = (size_t)get_group_id(0) * (SURF_GROUP / 32) + item;
        words[word] = bits[item];
        counts[word] = popcount(bits[item]);
    }
}

/// @param places  of each word's first keypoint; behind them, how many there are
/// @param most    keypoints that there is room for
kernel void place(global const float *responses, global const SurfSearch *searches,
                  global const uint *first_groups, const uint count, global const uint *words,
                  global const uint *places, const uint all_words, const uint most,
                  global SurfKeypoint *keypoints, global uint *found)
{
    const uint word = get_global_id(0);
    if (word >= all_words) return;
    if (word == 0) *found = min(places[all_words], most);
    if (words[word] == 0) return;
    const uint group = word / (SURF_GROUP / 32);
    const uint number = find_part(first_groups, count, group);
    const SurfSearch search = searches[number];
    const int first = (group - first_groups[number]) * SURF_GROUP + word % (SURF_GROUP / 32) * 32;
    uint to = places[word];
    for (uint bits = words[word]; bits != 0 && to < most; bits &= bits - 1, to++) {
        const int own = first + 31 - (int)clz(bits & -bits);
        float v[27];
        load_around(responses, search, own, v);
        const SurfPeak peak = fit_peak(v);
        SurfKeypoint keypoint;
        keypoint.x = (float)(search.margin + own % search.width) + peak.x;
        keypoint.y = (float)(search.margin + own / search.width) + peak.y;
        keypoint.scale = surf_scale(search.lobe, peak.layer);
        keypoint.response = v[13] * search.factor;
        keypoint.level = search.level;
        keypoints[to] = keypoint;
    }
}

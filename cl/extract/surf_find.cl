// surf_find: maxima of each layer's responses: first a bit for each, then the keypoints.

#pragma OPENCL FP_CONTRACT OFF

#include "find_part.cl"
#include "surf_launch.h"

/// The response at a place that counts from the margin, in the layer searched.
global const float *response_at(global const float *responses, const SurfSearch search, const int x,
                                const int y)
{
    return responses + search.responses + search.plane +
           (size_t)(search.margin + y) * search.pitch + search.margin + x;
}

float largest_of_three(global const float *middle)
{
    return fmax(fmax(middle[-1], middle[0]), middle[1]);
}

/// The least that a maximum at or next to the middle of three places in a row must reach.
float least_along(global const float *middle, const SurfSearch search)
{
    float beside = largest_of_three(middle + search.plane);
    if (!search.is_first) beside = fmax(beside, largest_of_three(middle - search.plane));
    return fmax(largest_of_three(middle), share_of(beside));
}

/// Whether none of the four neighbors before it in its layer is as large.
bool is_first_of_equals(global const float *at, const int pitch)
{
    return largest_of_three(at - pitch) < *at && at[-1] < *at;
}

/// Maxima of responses above the threshold: a bit for each sample, and how many are set in each word. A
/// work-item walks down a column; it keeps what a maximum must reach in three rows.
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void find(global const float *responses, global const SurfSearch *searches,
          global const uint *first_tiles, const uint count, const uint all_words,
          global uint *words, global uint *counts)
{
    local uint bits[SURF_GROUP];
    const uint number = find_part(first_tiles, count, get_group_id(0));
    const SurfSearch search = searches[number];
    const int tile = get_group_id(0) - first_tiles[number];
    const int along = words_along(search.width);
    const int top = tile / along * SURF_GROUP;
    const int item = get_local_id(0);
    const int column = item % SURF_COLUMNS;
    bits[item] = 0;
    if (get_global_id(0) == 0) counts[all_words] = 0; // ends the scan
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = tile % along * SURF_COLUMNS + column;
    const int first = top + item / SURF_COLUMNS * SURF_WALK;
    const int last = min(first + SURF_WALK, search.height);
    if (x < search.width && first < last) {
        global const float *at = response_at(responses, search, x, first);
        float before = least_along(at - search.pitch, search);
        float here = least_along(at, search);
        for (int y = first; y < last; y++, at += search.pitch) {
            const float next = least_along(at + search.pitch, search);
            if (*at > search.threshold && *at >= fmax(fmax(before, here), next) &&
                is_first_of_equals(at, search.pitch))
                atomic_or(&bits[y - top], 1u << column);
            before = here;
            here = next;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (top + item < search.height) {
        const size_t word = search.words + (size_t)(top + item) * along + tile % along;
        words[word] = bits[item];
        counts[word] = popcount(bits[item]);
    }
}

/// @param places  of each word's first keypoint; behind them, how many there are
/// @param most    keypoints that there is room for
/// @param found   [0] how many of them have room; [1] how many there are, 0 where all have room
kernel void place(global const float *responses, global const SurfSearch *searches,
                  global const uint *first_words, const uint count, global const uint *words,
                  global const uint *places, const uint all_words, const uint most,
                  global SurfKeypoint *keypoints, global uint *found)
{
    const uint word = get_global_id(0);
    if (word >= all_words) return;
    if (word == 0) {
        const uint all = places[all_words];
        found[0] = min(all, most);
        found[1] = all > most ? all : 0;
    }
    if (words[word] == 0) return;
    const uint number = find_part(first_words, count, word);
    const SurfSearch search = searches[number];
    const int own = word - search.words;
    const int y = own / words_along(search.width);
    const int first = own % words_along(search.width) * SURF_COLUMNS;
    uint to = places[word];
    for (uint bits = words[word]; bits != 0 && to < most; bits &= bits - 1, to++) {
        const int x = first + 31 - (int)clz(bits & -bits);
        global const float *at = response_at(responses, search, x, y);
        float v[27];
#pragma unroll
        for (int i = 0; i < 27; i++)
            v[i] = at[(i / 9 - 1) * (long)search.plane + (i / 3 % 3 - 1) * search.pitch + i % 3 - 1];
        const SurfPeak peak = fit_peak(v, search.is_first);
        SurfKeypoint keypoint;
        keypoint.x = (float)(search.margin + x) + peak.x;
        keypoint.y = (float)(search.margin + y) + peak.y;
        keypoint.scale = surf_scale(search.lobe, peak.layer);
        keypoint.response = v[13] * search.factor * peak.weight;
        keypoint.level = search.level;
        keypoints[to] = keypoint;
    }
}

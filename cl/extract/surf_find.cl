// surf_find: maxima of responses in position and scale: first a bit for each, then the keypoints.

#pragma OPENCL FP_CONTRACT OFF

#include "extract_launch.h"
#include "find_part.cl"
#include "surf_launch.h"

/// The 3x3x3 responses around a sample. Its place counts from the margin.
void load_around(global const float *responses, const SurfSearch search, const int x, const int y,
                 float *v)
{
    global const float *at = responses + search.responses +
                             (size_t)(search.margin + y - 1) * search.pitch + search.margin + x - 1;
#pragma unroll
    for (int i = 0; i < 27; i++)
        v[i] = at[(size_t)(i / 9) * search.plane + i / 3 % 3 * search.pitch + i % 3];
}

/// The largest of the 3x3 responses in a row, through the layers that a maximum must exceed.
float highest_along(global const float *middle, const SurfSearch search)
{
    global const float *above = middle + search.plane;
    float highest = fmax(fmax(fmax(middle[-1], middle[0]), middle[1]),
                         fmax(fmax(above[-1], above[0]), above[1]));
    if (search.is_first) return highest;
    global const float *below = middle - search.plane;
    return fmax(highest, fmax(fmax(below[-1], below[0]), below[1]));
}

/// Whether a maximum is the first of equal ones, and no keypoint of the next octave. In the first layer
/// searched the smaller filter's responses do not count.
bool is_keypoint(global const float *responses, const SurfSearch search, const int x, const int y)
{
    float v[27];
    load_around(responses, search, x, y, v);
    for (int i = search.is_first ? 9 : 0; i < 13; i++)
        if (v[i] >= v[13]) return false;
    return !search.is_shared || v[4] >= v[22];
}

/// Maxima of responses in position and scale, above the threshold: a bit for each sample, and how many
/// are set in each word. A work-item walks down a column; it keeps the largest responses of three rows.
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
        global const float *at = responses + search.responses + search.plane +
                                 (size_t)(search.margin + first) * search.pitch + search.margin + x;
        float before = highest_along(at - search.pitch, search);
        float here = highest_along(at, search);
        for (int y = first; y < last; y++, at += search.pitch) {
            const float next = highest_along(at + search.pitch, search);
            if (*at > search.threshold && *at >= fmax(fmax(before, here), next) &&
                is_keypoint(responses, search, x, y))
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
        float v[27];
        load_around(responses, search, x, y, v);
        const SurfPeak peak = fit_peak(v);
        SurfKeypoint keypoint;
        keypoint.x = (float)(search.margin + x) + peak.x;
        keypoint.y = (float)(search.margin + y) + peak.y;
        keypoint.scale = surf_scale(search.lobe, peak.layer);
        keypoint.response = v[13] * search.factor;
        keypoint.level = search.level;
        keypoints[to] = keypoint;
    }
}

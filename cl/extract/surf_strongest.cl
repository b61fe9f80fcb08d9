// surf_strongest: the responses of all maxima, one behind another, for strongest.cl; and the bits of
// those maxima that stay.

#include "extract_launch.h"
#include "find_part.cl"
#include "rounded.h"
#include "surf_launch.h"

/// @param places      of each word's first maximum
/// @param last_words  behind each picture's
/// @param ends        of each picture's maxima
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void list(global const float *responses, global const SurfSearch *searches,
          global const uint *first_groups, const uint count, global const uint *words,
          const uint all_words, global const uint *places, global const uint *last_words,
          const uint pictures, global uint *ends, global float *maxima, global uint *kept)
{
    const uint word = get_global_id(0);
    if (word < pictures) ends[word] = places[last_words[word]];
    if (word >= all_words || words[word] == 0) return;
    const uint group = word / (SURF_GROUP / 32);
    const uint number = find_part(first_groups, count, group);
    const SurfSearch search = searches[number];
    const int first = (group - first_groups[number]) * SURF_GROUP + word % (SURF_GROUP / 32) * 32;
    uint to = places[word];
    for (uint bits = words[word]; bits != 0; bits &= bits - 1, to++) {
        const int own = first + 31 - (int)clz(bits & -bits);
        const int x = search.margin + own % search.width;
        const int y = search.margin + own / search.width;
        maxima[to] = responses[search.responses + search.plane + (size_t)y * search.pitch + x] *
                     search.factor;
        kept[to] = 1;
    }
}

/// @param counts  of the bits that stay in each word
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void drop(global const uint *kept, global const uint *places, const uint all_words,
          global uint *words, global uint *counts)
{
    const uint word = get_global_id(0);
    if (word >= all_words || words[word] == 0) return;
    uint stay = 0;
    uint from = places[word];
    for (uint bits = words[word]; bits != 0; bits &= bits - 1, from++)
        if (kept[from] != 0) stay |= bits & -bits;
    words[word] = stay;
    counts[word] = popcount(stay);
}

// keep_hits: images whose score, in floats, reaches a query's limit.
//
// -DWORDS, -DCODES: 1 where the part counts, else 0. Hits beyond the capacity are counted, too.

#include "search_launch.h"

kernel void keep_hits(global const uint *words, global const float *word_norms,
                      global const int *codes, global const float *code_norms,
                      global const SearchLimit *limits, const uint images, const uint first_norm,
                      const uint first_image, const uint first, const uint end, global uint *count, const uint capacity,
                      global SearchHit *hits)
{
    const uint i = first + get_global_id(0);
    const uint query = get_global_id(1);
    if (i >= end) return;
    const size_t at = (size_t)query * images + i;
    const SearchLimit limit = limits[query];
    SearchHit hit = {query, first_image + i, 0, 0};
    float score = 0;
#if WORDS
    hit.words = words[at];
    score = (float)hit.words * word_norms[first_norm + i] * limit.word_factor;
#endif
#if CODES
    hit.codes = codes[at];
    score += (float)hit.codes * code_norms[first_norm + i] * limit.code_factor;
#endif
    if (score < limit.limit) return;
    const uint place = atomic_inc(count);
    if (place < capacity) hits[place] = hit;
}

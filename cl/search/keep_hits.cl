// keep_hits: images whose score by codes alone, in floats, reaches a query's limit.

#include "keep_hit.h"

kernel void keep_hits(global const int *products, global const float *code_norms,
                      global const SearchLimit *limits, const SearchRound windows,
                      global uint *count, global SearchHit *hits)
{
    const uint i = windows.first + get_global_id(0);
    const uint query = get_global_id(1);
    if (i >= windows.end) return;
    const SearchLimit limit = limits[query];
    const int codes = products[(size_t)query * windows.images + i];
    const float norm = code_norms[(size_t)windows.first_window * SEARCH_WINDOW + i];
    const SearchHit hit = {query, windows.first_image + i, 0, codes};
    keep_hit(hit, (float)codes * norm * limit.code_factor, limit.limit, count, windows.capacity, hits);
}

// keep_hit: an image's score in floats, and what becomes of it.

#include "search_launch.h"

/// Keeps an image whose score reaches the limit. Hits beyond the capacity are counted, too.
void keep_hit(const SearchHit hit, const float score, const float limit, global uint *count,
              const uint capacity, global SearchHit *hits)
{
    if (score < limit) return;
    const uint place = atomic_inc(count);
    if (place < capacity) hits[place] = hit;
}

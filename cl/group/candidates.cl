// candidates: pairs of codes whose likeness, in floats, reaches the row's limit.
//
// A row's likeness with a column is product/(norm * norm). The row's own norm changes nothing in its
// ranking, so what is compared is product * (1/norm of the column). The limit is below that of the
// row's last neighbor so far by more than floats can be off (keep_nearest.cl): no neighbor is lost.

#include "group_launch.h"

#define SLICE_QUADS (CODE_SLICE / 16)    // uint4s
#define CODE_QUADS (SLICES * SLICE_QUADS)

/// A row without neighbors yet has them all as candidates, one that is not there none.
float limit_of(global const float *limits, const CodePass pass, const uint row)
{
    return row < pass.end_row ? limits[row - pass.first_row] : 1e30f;
}

bool reaches(const int product, const float inverse_norm, const float limit)
{
    return (float)product * inverse_norm >= limit;
}

/// Appends a column to the row's candidates. Their number counts on where places end.
void append_candidate(const uint row, const uint column, const int product, const CodePass pass,
                      global uint *counts, global uint2 *candidates)
{
    if (row == column || column >= pass.size) return;
    const uint at = row - pass.first_row;
    const uint place = atomic_inc(counts + at);
    if (place < CANDIDATES)
        candidates[(size_t)at * CANDIDATES + place] = (uint2)(column, as_uint(product));
}

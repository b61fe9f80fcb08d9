// keep_nearest: the nearest of a row's neighbors so far and its new candidates, compared exactly.
//
// A likeness is product/norm, for the row that sees both; of equal ones the row of the lower number
// is nearer. Squares of products are below 2^60 and squared norms below 2^30 (lib/bowhist/group/
// likeness.hpp), so both sides of a comparison are numbers of 90 bits, in two words.

#include "group_launch.h"

#define LIMIT_MARGIN 0x1p-18f // products, norms and their rounding are off by less than 2^-20

/// A neighbor: the code's place, its product with the row.
typedef uint2 Found;

/// x^2 * norm2
ulong2 weighed(const int x, const int squared_norm)
{
    const ulong square = (ulong)((long)x * x);
    const ulong norm = (ulong)(uint)squared_norm;
    return (ulong2)(square * norm, mul_hi(square, norm));
}

bool exceeds(const ulong2 a, const ulong2 b)
{
    return a.y > b.y || (a.y == b.y && a.x > b.x);
}

/// Whether a is nearer than b. Any is nearer than none.
bool is_nearer(const Found a, const Found b, global const int *squared_norms,
               global const uint *numbers)
{
    if (b.x == NO_CANDIDATE) return true;
    const int p = as_int(a.y);
    const int q = as_int(b.y);
    if (p < 0 != q < 0) return q < 0;
    const ulong2 left = weighed(p, squared_norms[b.x]);
    const ulong2 right = weighed(q, squared_norms[a.x]);
    if (exceeds(left, right)) return p >= 0;
    if (exceeds(right, left)) return p < 0;
    return numbers[a.x] < numbers[b.x];
}

/// Takes the candidates into each row's list, sets its limit, and makes place for new ones. A row
/// that had more than there was place for is lost: the host looks for its neighbors.
/// @param numbers  of codes, by their place: what they are called where likenesses are equal
kernel void keep(global const int *squared_norms, global const float *inverse_norms,
                 global const uint *numbers, global uint *counts, global const uint2 *candidates,
                 global uint2 *nearest, global float *limits, global uint *lost, const uint rows,
                 const uint most)
{
    const uint row = get_global_id(0);
    if (row >= rows) return;
    global Found *list = nearest + (size_t)row * most;
    global const Found *from = candidates + (size_t)row * CANDIDATES;
    if (counts[row] > CANDIDATES) lost[row] = 1;
    const uint count = min(counts[row], (uint)CANDIDATES);
    counts[row] = 0;
    for (uint i = 0; i < count; i++) {
        const Found one = from[i];
        uint place = most;
        while (place > 0 && is_nearer(one, list[place - 1], squared_norms, numbers)) {
            if (place < most) list[place] = list[place - 1];
            place--;
        }
        if (place < most) list[place] = one;
    }
    const Found last = list[most - 1];
    if (last.x == NO_CANDIDATE) return;
    const float likeness = (float)as_int(last.y) * inverse_norms[last.x];
    limits[row] = likeness - fabs(likeness) * LIMIT_MARGIN;
}

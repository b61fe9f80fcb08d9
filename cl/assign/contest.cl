// contest: the nearest of the few centroids that gpu7 could not decide between.
//
// An entry names a row and up to sixteen contenders: two groups of eight neighboring centroids, and
// a bit for each. They are compared in float32 with its proof (conversions to float64 are slow);
// the rule decides where that is not enough.
//
// Each loop keeps the contender that it saw last (last_seen.cl), by a distance that is not NaN or
// not infinite. A loop in float32 proves nothing if that is not the entry's last contender; after a
// loop of the rule the row then gets no word, which the host reports.
//
// SHARE: work-items an entry, which read a row's neighboring float4s and add up their parts: some
// of a warp, or one where there are no warps. DIMENSIONS: a multiple of 4.

#include "rule.cl"
#include "screen.cl"
#if SHARE > 1
#include "warp.cl"
#endif

#define QUADS (DIMENSIONS / 4)
#define TURNS ((QUADS + SHARE - 1) / SHARE)

/// The entry's sum of what its work-items have.
float sum_of_shares(float value)
{
#if SHARE > 1
#pragma unroll
    for (uint distance = 1; distance < SHARE; distance *= 2)
        value += as_float(exchange_among(SHARE, as_uint(value), distance));
#endif
    return value;
}

/// The work-item's share of a row.
void read_share(float4 share[TURNS], global const float4 *rows, const uint row)
{
#pragma unroll
    for (uint turn = 0; turn < TURNS; turn++) {
        const uint at = turn * SHARE + get_local_id(0) % SHARE;
        share[turn] = at < QUADS ? rows[(size_t)row * QUADS + at] : (float4)(0);
    }
}

float distance_of_shares(const float4 x[TURNS], const float4 c[TURNS])
{
    float4 squares = 0;
#pragma unroll
    for (uint turn = 0; turn < TURNS; turn++) {
        const float4 difference = x[turn] - c[turn];
        squares += difference * difference;
    }
    return squares.x + squares.y + squares.z + squares.w;
}

uint centroid_of(const uint4 contest, const uint bit)
{
    return 8 * (bit < 8 ? contest.y : contest.z) + bit % 8;
}

/// The centroid of the lowest bit.
uint contender(const uint4 contest, const uint bits)
{
    return centroid_of(contest, 31 - clz(bits & -bits));
}

uint last_contender(const uint4 contest)
{
    return centroid_of(contest, 31 - clz(contest.w));
}

/// The nearest contender by the rule.
uint decide(const uint4 contest, global const float *descriptors, global const float *centroids)
{
    double best = INFINITY;
    uint word = 0xffffffff;
    uint last = 0xffffffff;
    for (uint left = contest.w; left != 0; left &= left - 1) {
        const uint centroid = contender(contest, left);
        const double distance = squared_distance(descriptors + (size_t)contest.x * DIMENSIONS,
                                                 centroids + (size_t)centroid * DIMENSIONS);
        // The groups come in any order: of equal ones the lower wins.
        if (distance < best || (distance == best && centroid < word)) {
            best = distance;
            word = centroid;
        }
        last = distance < INFINITY ? centroid : last;
    }
    return last == last_contender(contest) ? word : 0xffffffff;
}

kernel __attribute__((reqd_work_group_size(CONTEST_GROUP, 1, 1)))
void contest(global const float4 *descriptors, global const float4 *centroids,
             const float relative, const float absolute, global int *words,
             global const uint4 *contested)
{
    const uint entries = contested[0].x;
    for (uint entry = get_global_id(0) / SHARE; entry < entries;
         entry += get_global_size(0) / SHARE) {
        const uint4 contest = contested[1 + entry];
        float4 x[TURNS];
        read_share(x, descriptors, contest.x);
        Candidate candidate = {INFINITY, INFINITY, 0, -1};
        for (uint left = contest.w; left != 0; left &= left - 1) { // two at a time: most are two
            const uint one = contender(contest, left);
            left &= left - 1;
            const uint two = left != 0 ? contender(contest, left) : one;
            float4 c[2][TURNS];
            read_share(c[0], centroids, one);
            read_share(c[1], centroids, two);
            const float to_one = sum_of_shares(distance_of_shares(x, c[0]));
            const float to_two = sum_of_shares(distance_of_shares(x, c[1]));
            candidate = offer(candidate, to_one, one);
            if (left != 0) candidate = offer(candidate, to_two, two);
        }
        if (get_local_id(0) % SHARE != 0) continue;
        const bool all_seen = candidate.last == (int)last_contender(contest);
        words[contest.x] = all_seen && proven(candidate, relative, absolute)
                               ? candidate.word
                               : (int)decide(contest, (global const float *)descriptors,
                                             (global const float *)centroids);
    }
}

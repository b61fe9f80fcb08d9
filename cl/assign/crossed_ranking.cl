// crossed_ranking: the best groups of a descriptor's scores, and the best at each place of them.
//
// Scores are positive floats that share an exponent and so compare as unsigned integers. Tiles of
// 64 centroids come one after another; of each a work-item has 16 neighbors for a descriptor: two
// groups of eight. A quad shares four descriptors; at the end each of its work-items keeps the
// ranking of one, its own. TAG_BITS: at least 9, enough for the number of every group.

#include "warp.cl"

/// What a work-item keeps of a descriptor: keys of the best groups (a score's 23 bits, the group's
/// tag in the low ones) and the best score at each place of the groups.
typedef struct {
    uint first, second, third;
    uint place[8];
} Ranking;

void clear_ranking(private Ranking *ranking)
{
    ranking->first = 0;
    ranking->second = 0;
    ranking->third = 0;
#pragma unroll
    for (uint i = 0; i < 8; i++) ranking->place[i] = 0;
}

uint highest(const uint a, const uint b, const uint c)
{
    return max(max(a, b), c);
}

uint highest_of_eight(const private uint *v)
{
    return highest(highest(v[0], v[1], v[2]), highest(v[3], v[4], v[5]), max(v[6], v[7]));
}

uint key(const uint score, const uint tag)
{
#if TAG_BITS == 9
    return (score << 9) + tag;
#else
    return ((score << 9) & ~((1u << TAG_BITS) - 1)) | tag;
#endif
}

/// The three best of the ranking's and of two more, a >= b.
void enter(private Ranking *ranking, const uint a, const uint b)
{
    const uint loser = min(ranking->first, a);
    const uint seconds = max(ranking->second, b);
    ranking->first = max(ranking->first, a);
    ranking->second = max(seconds, loser);
    ranking->third = max(ranking->third, min(seconds, loser));
}

/// Ranks the scores of a tile, of which the work-item has 16 neighboring centroids: two groups.
void rank_tile(private Ranking *ranking, const private float *sums, const uint slot, const uint tag)
{
    uint score[16];
#pragma unroll
    for (uint i = 0; i < 16; i++) score[i] = as_uint(sums[4 * (i / 2) + 2 * slot + i % 2]);
    const uint a = key(highest_of_eight(score), tag);
    const uint b = key(highest_of_eight(score + 8), tag + 4);
    enter(ranking, max(a, b), min(a, b));
#pragma unroll
    for (uint place = 0; place < 8; place++)
        ranking->place[place] =
            highest(ranking->place[place], score[place], score[place + 8]);
}

/// The group of a tag: eight times the tile, plus the work-item in its quad, plus 4 in its second.
uint group_of(const uint tag)
{
    return tag / 8 * 8 + tag % 4 * 2 + tag / 4 % 2;
}

/// A bit for each of the group's eight that is one of the k centroids.
uint centroids_of(const uint group, const uint k)
{
    return (1u << min(max(k, 8 * group) - 8 * group, 8u)) - 1;
}

/// One of two rankings, `high` where that is `mine`, with what the work-item so far away has of it.
void keep_ranking(private Ranking *kept, const private Ranking *low, const private Ranking *high,
                  const bool mine, const uint distance)
{
    const uint first = exchange(mine ? low->first : high->first, distance);
    const uint second = exchange(mine ? low->second : high->second, distance);
    const uint third = exchange(mine ? low->third : high->third, distance);
    kept->first = mine ? high->first : low->first;
    kept->second = mine ? high->second : low->second;
    kept->third = mine ? high->third : low->third;
    enter(kept, first, second);
    kept->third = max(kept->third, third);
}

/// Which places of the four descriptors reach their own work-item's threshold: eight bits each.
uint reached_places(const private Ranking (*ranking)[2], const uint threshold)
{
    uint below = 0;
#pragma unroll
    for (int own = 3; own >= 0; own--) {
        const float least = as_float(of_quad(threshold, own));
#pragma unroll
        for (int place = 7; place >= 0; place--) {
            const float difference = as_float(ranking[own / 2][own % 2].place[place]) - least;
            below = below << 1 | as_uint(difference) >> 31;
        }
    }
    return ~below;
}

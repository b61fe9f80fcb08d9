// crossed_ranking: the best groups of a descriptor's scores, and the best at each place of them.
//
// Scores are positive floats that share an exponent and so compare as unsigned integers. Tiles of
// 64 centroids come one after another; each gives a work-item 16 neighbors for a descriptor: two
// groups of eight. A quad shares two descriptors a part; each of its work-items keeps what it
// learns of one, its own.
//
// A key is a score's 23 bits above nine bits that number its group among those of a span of tiles.
// The best so far are kept after each span with their numbers among all groups.

#include "warp.cl"

#define SCORE_OF(key) ((key) >> 9)

/// A work-item's ranking for a descriptor: keys of the span's best groups, and the best score at
/// each place of all groups.
typedef struct {
    uint first, second, third;
    uint place[8];
} Ranking;

/// The best groups of a descriptor in all spans so far.
typedef struct {
    uint first, second, third;
    uint first_group, second_group;
} Best;

/// Before a span.
void clear_groups(private Ranking *ranking)
{
    ranking->first = 0;
    ranking->second = 0;
    ranking->third = 0;
}

void clear_ranking(private Ranking *ranking)
{
    clear_groups(ranking);
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
    const uint a = (highest_of_eight(score) << 9) + tag;
    const uint b = (highest_of_eight(score + 8) << 9) + tag + 4;
    enter(ranking, max(a, b), min(a, b));
#pragma unroll
    for (uint place = 0; place < 8; place++)
        ranking->place[place] =
            highest(ranking->place[place], score[place], score[place + 8]);
}

/// The group of a tag, eight times the tile, plus the work-item in its quad, plus 4 in its second.
/// `tile`: where the span begins.
uint group_of(const uint tag, const uint tile)
{
    return (tile + tag / 8) * 8 + tag % 4 * 2 + tag / 4 % 2;
}

/// Which of its quad's work-items ranked the group.
uint ranked_by(const uint group)
{
    return group / 2 % 4;
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

/// Offers a group of a later span.
void offer_group(private Best *best, const uint key, const uint group)
{
    const bool wins = key > best->first;
    const bool follows = key > best->second;
    best->third = max(best->third, min(best->second, key));
    best->second_group = wins ? best->first_group : follows ? group : best->second_group;
    best->second = max(best->second, min(best->first, key));
    best->first_group = wins ? group : best->first_group;
    best->first = max(best->first, key);
}

/// The best groups of the own descriptor after a span that begins at `tile`.
Best after_span(Best best, const private Ranking (*ranking)[2], const uint tile)
{
    const uint own = get_local_id(0) % 4;
    Ranking low, all;
    keep_ranking(&low, &ranking[0][0], &ranking[0][1], own % 2, 1);
    Ranking high = low;
    if (PARTS == 2) keep_ranking(&high, &ranking[1][0], &ranking[1][1], own % 2, 1);
    keep_ranking(&all, &low, &high, own / 2, 2);
    offer_group(&best, all.first, group_of(all.first % 512, tile));
    offer_group(&best, all.second, group_of(all.second % 512, tile));
    best.third = max(best.third, all.third);
    return best;
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
            const float difference = as_float(ranking[own / 2 % PARTS][own % 2].place[place]) - least;
            below = below << 1 | as_uint(difference) >> 31;
        }
    }
    return ~below;
}

// look_again: one row of those that a coarse screen could not prove, by itself.
//
// Its scores against all words are computed in float32. Any word may be the reference: what lies
// below its score by more than the bound of a dot product (docs/words.md) is farther by the rule.
// The rule decides among the few others.
//
// DIMENSIONS: a multiple of 4. `tiles` holds centroids packed [CPU_LANES of them][dimension][lane],
// zero beyond k; `starts` -||c||^2 / 2, -infinity beyond k.

#include "row_block.cl"
#include "rule.cl"
#include "score.cl"

#define MOST_OTHERS 15 // that the rule compares beside the reference
#define UNDECIDED 0xffffffff

/// x.c - ||c||^2 / 2 of one word.
float score_of(global const float *x, global const float *c, const float start)
{
    float4 sum = (float4)(start, 0, 0, 0);
    for (uint d = 0; d < DIMENSIONS; d += 4)
        sum = MULTIPLY_ADD(vload4(0, x + d), vload4(0, c + d), sum);
    return sum.x + sum.y + sum.z + sum.w;
}

/// The words beside `word` whose float32 scores do not prove that they are farther.
/// @return how many; more than MOST_OTHERS stands for any number
uint list_others(global const float *x, const uint word, const float score, const float norm,
                 global const float *tiles, global const float *starts, const ScorePass search,
                 uint others[MOST_OTHERS])
{
    const float needed = needed_lead(search, norm);
    uint count = 0;
    uint last = 0;
    for (uint tile = 0; tile < search.k; tile += CPU_LANES) {
        global const float *c = tiles + (size_t)tile * DIMENSIONS;
        float16 sum[4] = {vload16(0, starts + tile), 0, 0, 0};
        last = LAST_SEEN(starts[tile], tile, last);
        for (uint d = 0; d < DIMENSIONS; d += 4)
#pragma unroll
            for (uint i = 0; i < 4; i++)
                sum[i] = MULTIPLY_ADD((float16)(x[d + i]), vload16(d + i, c), sum[i]);
        const int16 open = !(score - (sum[0] + sum[1] + sum[2] + sum[3]) > needed);
        if (!any(open)) continue;
        for (uint j = 0; j < CPU_LANES; j++) {
            if (!((int *)&open)[j] || tile + j == word || tile + j >= search.k) continue;
            if (count == MOST_OTHERS) return MOST_OTHERS + 1;
            others[count++] = tile + j;
        }
    }
    return last + CPU_LANES < search.k ? MOST_OTHERS + 1 : count;
}

/// A word that integers did not prove: `word` is near enough to prove most others farther.
/// @return UNDECIDED where too many are left
uint look_again(global const float *x, const uint word, const float norm,
                global const float *centroids, global const float *tiles,
                global const float *starts, const ScorePass search, global uint *contested)
{
    if (!(norm <= search.largest_norm)) return UNDECIDED;
    const float score = score_of(x, centroids + (size_t)word * DIMENSIONS, starts[word]);
    uint others[MOST_OTHERS];
    const uint count = list_others(x, word, score, norm, tiles, starts, search, others);
    if (count == 0) return word;
    if (count > MOST_OTHERS) return UNDECIDED;
    atomic_inc(contested);
    uint nearest = word;
    double best = squared_distance(x, centroids + (size_t)word * DIMENSIONS);
    for (uint i = 0; i < count; i++) {
        const double distance = squared_distance(x, centroids + (size_t)others[i] * DIMENSIONS);
        if (distance < best || (distance == best && others[i] < nearest)) {
            best = distance;
            nearest = others[i];
        }
    }
    return nearest;
}

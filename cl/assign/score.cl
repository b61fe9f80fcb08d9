// score: the proof that levels share which look for the greatest score x.c - ||c||^2 / 2.
//
// Half the arithmetic of a sum of squared differences; the nearest centroid is the one with the
// greatest score. The best stands where the runner-up is further away than docs/words.md (the bound
// of a dot product) allows the two to be wrong together. Other rows are listed, for the rule.

#include "assign_launch.h"
#include "last_seen.cl"

/// The lead that a score needs over another one for a row of that norm.
float needed_lead(const ScorePass search, const float norm)
{
    return search.margin + norm * (search.linear + norm * search.quadratic);
}

/// The greatest score so far, and how near the runner-up came.
typedef struct {
    float best;
    float second;
    uint word;
} Match;

// Both forms are within the bound; a * b + c is only for devices on which fma is slow.
#ifdef FP_FAST_FMAF
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

Match no_match(void)
{
    const Match none = {-INFINITY, -INFINITY, 0};
    return none;
}

/// A greater score becomes the best; of the others the greatest is kept.
Match offer_score(Match match, const float score, const uint word)
{
    match.second = fmax(match.second, fmin(match.best, score));
    match.word = score > match.best ? word : match.word;
    match.best = fmax(match.best, score);
    return match;
}

/// Counts the word of a row where it is proven, else lists the row.
void settle_word(const bool proven, const uint word, const uint row, const uint k,
                 global const uint *bag, global int *words, global uint *histograms,
                 global uint *unproven)
{
    if (proven) {
        words[row] = (int)word;
        atomic_inc(&histograms[(size_t)bag[row] * k + word]);
    } else {
        unproven[1 + atomic_inc(unproven)] = row; // [0] counts, the rows follow
    }
}

/// Settles a row by its match. Scores that are not numbers come with a norm that fails the test.
void settle_match(const Match match, const float norm, const uint row, const ScorePass search,
                  global const uint *bag, global int *words, global uint *histograms,
                  global uint *unproven)
{
    const bool proven =
        norm <= search.largest_norm && match.best - match.second > needed_lead(search, norm);
    settle_word(proven || search.k == 1, match.word, row, search.k, bag, words, histograms,
                unproven);
}

// screen: the proof that every level of the ladder shares.
//
// A level computes squared distances in float32, in any order. The word it finds stands only where
// no rounding could have changed it: where the runner-up is further from the best than both errors
// together. Rows that cannot be proved are listed, and decide.cl settles them by the float64 rule.
//
// A level may visit the centroids in several passes (constant memory is small): the
// candidate of each descriptor is carried from one pass to the next.
//
// A candidate knows the word that it saw last (last_seen.cl), by a comparison that only NaN fails.
// Nothing is proven if that is not the pass's last word.

#include "assign_launch.h"

Candidate resume(const LadderPass pass, global const Candidate *carried, const uint row)
{
    const Candidate none = {INFINITY, INFINITY, 0, -1};
    return pass.first == 0 ? none : carried[row];
}

Candidate offer(Candidate candidate, const float distance, const uint word)
{
    candidate.second = fmin(candidate.second, fmax(candidate.best, distance));
    candidate.word = distance < candidate.best ? (int)word : candidate.word;
    candidate.best = fmin(candidate.best, distance);
    candidate.last = distance >= 0 ? (int)word : candidate.last;
    return candidate;
}

/// Whether no rounding can have changed the winner. A bound that is not finite proves nothing.
bool proven(const Candidate candidate, const float relative, const float absolute)
{
    const float gap = candidate.second - candidate.best;
    return gap > relative * (candidate.second + candidate.best) + absolute;
}

/// Ends a pass: carries the candidate on or, in the last one, counts the word or lists the row.
void settle(Candidate candidate, const LadderPass pass, const uint row,
            global Candidate *carried, global const uint *bag, global int *words,
            global uint *histograms, global uint *unproven)
{
    if (candidate.last + 1 != (int)(pass.first + pass.count))
        candidate.second = -INFINITY; // this pass and those behind it prove nothing
    if (pass.first + pass.count < pass.k) {
        carried[row] = candidate;
        return;
    }
    if (proven(candidate, pass.relative, pass.absolute) || pass.k == 1) {
        words[row] = candidate.word;
        atomic_inc(&histograms[(size_t)bag[row] * pass.k + candidate.word]);
    } else {
        unproven[1 + atomic_inc(unproven)] = row; // [0] counts, the rows follow
    }
}

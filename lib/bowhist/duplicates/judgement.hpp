#pragma once

#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/duplicates/pair_check.hpp>

namespace bowhist {

/// What two images are to each other.
struct Judgement {
    bool copy = false;
    bool scene = false; ///< show the same thing; every copy does
    double score = 0;   ///< 0 … 1
    double overlap = 0; ///< share of the smaller view that both show

    // of the first and of the second image
    bool first_lacks = false; ///< shows less than the other
    bool second_lacks = false;
    bool first_bordered = false;
    bool second_bordered = false;
    bool overlaid = false;          ///< one has something laid over it
    bool first_is_overlaid = false; ///< it is this one
    bool turned = false;            ///< or mirrored, against each other
};

Judgement judge(const CheckedPair &pair, Match match);

/// How the pair's first image differs from the second, or the second from the first.
Kinds kinds_of(const CheckedPair &pair, const Judgement &judgement, bool of_first);

} // namespace bowhist

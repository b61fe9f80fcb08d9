#pragma once

#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/duplicates/pair_check.hpp>

namespace bowhist {

/// What one image of a pair is beside the other.
struct Side {
    bool lacks = false;      ///< shows less of the picture than the other
    bool bordered = false;   ///< set in something that is no picture
    bool surrounded = false; ///< bordered, or set in something of one level
    bool overlaid = false;   ///< has something laid over it
    double beyond = 0;       ///< share of it that the other does not show
    bool holds = false;      ///< shows the other one beside other pictures
    /// Shows all that the other shows, as far as pixels prove it: the other may go.
    bool shows_all = false;
};

/// What two images are to each other.
struct Judgement {
    bool copy = false;
    bool scene = false;     ///< show the same thing; every copy does
    bool different = false; ///< lie over each other, and each shows something of its own
    bool equal = false;     ///< differ by what encoding does alone
    double score = 0;       ///< 0 … 1
    double overlap = 0;     ///< share of the smaller view that both show
    bool overlaid = false;  ///< one of them has something laid over it
    bool turned = false;    ///< or mirrored, against each other
    double scale = 1;       ///< pixels of the second in one of the first
    Side first = {};
    Side second = {};

    const Side &side(bool of_first) const { return of_first ? first : second; }
};

Judgement judge(const CheckedPair &pair, Match match);

/// How the pair's first image differs from the second, or the second from the first.
Kinds kinds_of(const CheckedPair &pair, const Judgement &judgement, bool of_first);

} // namespace bowhist

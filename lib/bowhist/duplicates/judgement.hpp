#pragma once

#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/duplicates/pair_check.hpp>

namespace bowhist {

/// One image of a pair, compared with the other.
struct Side {
    bool lacks = false;    ///< shows less of the picture than the other
    bool bordered = false; ///< has a border or a frame, which is no picture
    bool surrounded =
        false;             ///< bordered, or surrounded by one level, as a turn by 10 degrees fills
    bool overlaid = false; ///< has something laid over it, such as text or a banner
    bool clipped = false;  ///< its lights or shadows have one level where the other shows more
    double beyond = 0;     ///< share of it that the other does not show
    bool holds = false;    ///< is a collage: shows the other one beside other pictures
    /// Shows all that the other shows, as far as pixels prove it: the other may go. False in doubt.
    bool shows_all = false;
};

/// The relation of two images.
struct Judgement {
    bool copy = false;  ///< show the same picture; never if one is a collage that holds the other
    bool scene = false; ///< show the same thing; every copy does
    bool different = false;    ///< lie over each other, and each shows something of its own
    bool equal = false;        ///< differ in nothing but their encoding
    double score = 0;          ///< the median correlation of small blocks, 0 … 1
    double overlap = 0;        ///< share of the smaller view that both show
    bool overlaid = false;     ///< one of them has something laid over it
    bool turned = false;       ///< turned or mirrored against each other
    bool other_colors = false; ///< the colors differ by more than the tones
    bool resampled = false;    ///< their pixels do not lie over each other
    double scale = 1;          ///< pixels of the second for one of the first, along a line
    Side first = {};
    Side second = {};

    const Side &side(bool of_first) const { return of_first ? first : second; }
};

/// Knowledge beside a pair: another image that agrees with both of it, or nothing.
enum class Witness { none, agrees_with_both };

/// Judges a pair by what was measured of it alone. Neither other images nor preferences change the
/// result (docs/duplicates.md, "How it is found", steps 2 to 5).
/// @param witness  where something is laid over one of the two, half of the places are enough then
Judgement judge(const CheckedPair &pair, Match match, Witness witness = Witness::none);

/// How one image of the pair differs from the other.
/// @param of_first  the first image from the second; else the second from the first
Kinds kinds_of(const CheckedPair &pair, const Judgement &judgement, bool of_first);

} // namespace bowhist

#pragma once

#include <bowhist/core/shown_words.hpp>
#include <bowhist/group/grouping.hpp>

namespace bowhist {

/// Fills in the words that set each group apart, at most five. The share of the group's images that
/// show such a word exceeds the share of the other images that do the most. The most distinctive is
/// first, of equal ones the lowest. Words that are no more frequent in the group are left out, so a
/// group of all images has none. Whole numbers: the same everywhere.
/// @param shown  of each image, below 2^31; without words no group gets any
void find_distinctive_words(const ShownWords &shown, Grouping &grouping);

} // namespace bowhist

#pragma once

#include <bowhist/duplicates/judgement.hpp>
#include <bowhist/duplicates/pair_check.hpp>

#include <span>
#include <vector>

namespace bowhist {

// Documents and screens: another text in some place is too small to be seen in thumbnails.

/// Corrects judgements of pairs of pages by a close look at their files, in up to 2048 pixels a
/// side. Another text makes them different. Letters that decide do so in Match::strict, too. The
/// check of a pair is kept as long as the sizes and times of both files stay.
/// @param pairs       get the pixels that were compared
/// @param judgements  one of each pair
/// @return of each pair whether it is a copy in which other letters may hide
std::vector<char> settle_pages(const NumberedImages &images, std::span<CheckedPair> pairs,
                               std::span<Judgement> judgements, Match match, KeptPairs &kept,
                               Observer &observer);

/// Corrects the judgement of one pair by its check.
/// @param of_page  the judgement by which the pair may be one page: as strict as `normal` at most
/// @return whether it is a copy in which other letters may hide
bool settle_page(const PageCheck &page, const PixelComparison &thumbnails, const Judgement &of_page,
                 Judgement &judgement);

/// Whether letters decide about a pair that settle_pages() looked at.
bool letters_decide(const PixelComparison &pixels);

} // namespace bowhist

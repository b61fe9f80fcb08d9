#pragma once

#include <bowhist/duplicates/judgement.hpp>
#include <bowhist/duplicates/pair_check.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace bowhist {

/// Images known to show the same page, and families known to show different ones. A result for two
/// images holds for their families, so few of many pairs need a close look.
class PageFamilies {
  public:
    /// The lowest image of its family.
    std::uint32_t family_of(std::uint32_t image) const;

    bool differ(std::uint32_t one, std::uint32_t other) const;

    /// Joins two families, unless they differ.
    void add_same(std::uint32_t one, std::uint32_t other);

    /// Does nothing for two images of one family.
    void add_different(std::uint32_t one, std::uint32_t other);

  private:
    std::map<std::uint32_t, std::uint32_t> lower_;               ///< a lower image of the family
    std::map<std::uint32_t, std::set<std::uint32_t>> different_; ///< families, each way
};

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

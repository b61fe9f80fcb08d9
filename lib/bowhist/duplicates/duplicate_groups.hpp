#pragma once

#include <bowhist/duplicates/agreements.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace bowhist {

/// Says which of two images that differ a third one resembles where they differ: `one` or `other`,
/// or nothing in doubt.
using Follows = std::function<std::optional<std::uint32_t>(std::uint32_t image, std::uint32_t one,
                                                           std::uint32_t other)>;

/// Divides images into groups of copies, and finds those that stand apart (docs/duplicates.md, "How
/// it is found", step 7).
///
/// Protocol: open_questions(); the caller compares those pairs and adds them to the agreements. A
/// new CopyDivision of these then does settle(), then finish(). One thread at a time.
class CopyDivision {
  public:
    /// Forms the groups that the agreements suggest. @param searched, agreements  outlive it
    CopyDivision(const SearchedImages &searched, const Agreements &agreements);

    /// Pairs that must be compared before settle(): a group's best, with an image that agrees with
    /// one of the group's members and is another group's best, or in no group.
    std::vector<Agreements::Pair>
    open_questions(const std::function<bool(Agreements::Pair)> &is_compared) const;

    /// Images that agree with two bests that differ go to the one that they follow; in doubt they
    /// leave their group as ambiguous. So do members that differ from each other.
    void settle(const Follows &follows);

    /// Members that may go, each with the image that stays for it.
    std::vector<Agreements::Pair> moves() const;

    /// Writes the groups of copies, also those of equal bytes alone, then the groups of other
    /// photographs, among images that are no copies or the best of theirs.
    /// @param result  gets groups and images that stand apart
    void finish(Duplicates &result) const;

  private:
    /// An image in no group.
    struct Apart {
        std::vector<std::uint32_t> with = {};
        Kinds kinds = {};
    };

    void move_member(CopyGroup &group, std::size_t number, std::uint32_t other, bool follows_other);
    void settle_members(CopyGroup &group, const Follows &follows);
    std::vector<std::uint32_t> rivals_of(const CopyGroup::Member &member, std::uint32_t best) const;
    void stand_apart(std::uint32_t image, std::initializer_list<std::uint32_t> with);
    std::map<std::uint32_t, Apart> apart() const;
    DuplicateGroup group_of(const CopyGroup &found) const;

    const SearchedImages &searched_;
    const Agreements &agreements_;
    std::vector<CopyGroup> groups_;
    std::vector<std::vector<std::uint32_t>> copies_of_; ///< of each image
    std::vector<std::optional<std::uint32_t>> best_of_; ///< of each image's group, if it has one
    std::map<std::uint32_t, std::vector<std::uint32_t>> ambiguous_; ///< what each agrees with
};

} // namespace bowhist

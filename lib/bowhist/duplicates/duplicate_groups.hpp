#pragma once

#include <bowhist/duplicates/agreements.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace bowhist {

/// Of two images that differ, the one that a third follows where they differ; nothing in doubt.
using Follows = std::function<std::optional<std::uint32_t>(std::uint32_t image, std::uint32_t one,
                                                           std::uint32_t other)>;

/// Groups of copies, and images that stand apart, as the pairs make them.
class CopyDivision {
  public:
    /// @param agreements  outlive it
    CopyDivision(const SearchedImages &searched, const Agreements &agreements);

    /// Pairs of the best of two groups that share an image, and were not compared yet.
    std::vector<Agreements::Pair>
    open_questions(const std::function<bool(Agreements::Pair)> &is_compared) const;

    /// Takes images that agree with two that differ out of their groups, or gives them to the one
    /// that they follow.
    void settle(const Follows &follows);

    /// The groups of copies, those of equal bytes alone, too; then groups of other photographs,
    /// among images that are no copies, or the best of theirs.
    /// @param result  gets groups and what stands apart
    void finish(Duplicates &result) const;

  private:
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
    std::vector<std::optional<std::uint32_t>> best_of_; ///< of each image that is in a group
    std::map<std::uint32_t, std::vector<std::uint32_t>> ambiguous_; ///< and what each agrees with
};

} // namespace bowhist

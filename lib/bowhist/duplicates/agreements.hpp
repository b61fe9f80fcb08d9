#pragma once

#include <bowhist/duplicates/best_copy.hpp>
#include <bowhist/duplicates/copy_groups.hpp>
#include <bowhist/duplicates/judgement.hpp>
#include <bowhist/duplicates/searched_images.hpp>

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {

/// A pair of contents that agree.
struct Agreement {
    CheckedPair pair = {};
    Judgement judgement = {};
    bool equal_pixels = false;
};

/// All pairs that agree.
class Agreements {
  public:
    /// @param searched  outlives it
    explicit Agreements(const SearchedImages &searched)
        : searched_(searched), whole_(searched.size()) {}

    void add(Agreement &&agreement);
    const std::vector<Agreement> &all() const { return all_; }
    std::vector<Agreement> &all() { return all_; }
    bool contains(std::uint32_t first, std::uint32_t second) const {
        return numbers_.contains({first, second});
    }
    /// REQUIRES: they agree
    const Agreement &of(std::uint32_t one, std::uint32_t other) const;

    std::vector<CopyEdge> edges(bool copies) const; ///< of copies, or of other photographs
    /// Kept ones before others, then as is_better().
    std::uint32_t best_of(std::span<const std::uint32_t> images) const;
    bool is_kept_rather(std::uint32_t one, std::uint32_t other) const;
    bool is_better_image(std::uint32_t one, std::uint32_t other) const;

  private:
    const SearchedImages &searched_;
    std::vector<Agreement> all_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers_; ///< by pair
    std::vector<Wholeness> whole_; ///< of each image, by the copies that it agrees with
};

/// The groups of copies, those of equal bytes alone, too; then groups of other photographs, among
/// images that are no copies, or the best of theirs.
std::vector<DuplicateGroup> duplicate_groups(const SearchedImages &searched,
                                             const Agreements &agreements);

} // namespace bowhist

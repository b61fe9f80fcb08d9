#pragma once

#include <bowhist/duplicates/best_copy.hpp>
#include <bowhist/duplicates/copy_groups.hpp>
#include <bowhist/duplicates/judgement.hpp>
#include <bowhist/duplicates/searched_images.hpp>

#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {

/// A pair of contents that agree.
struct Agreement {
    CheckedPair pair = {};
    Judgement judgement = {};
    bool equal_pixels = false;
    bool unproven = false; ///< what may differ is too small to be seen in what was compared
    std::optional<std::uint32_t> frame = {}; ///< the image that is a still and a frame of the other

    /// Whether the one image or the other holds the other one beside other pictures.
    bool is_inlay() const { return judgement.first.holds || judgement.second.holds; }
    bool is_copy() const { return judgement.copy && !unproven && !frame; }
};

/// What is known of pairs: which agree, and which were compared and differ.
class Agreements {
  public:
    using Pair = std::pair<std::uint32_t, std::uint32_t>; ///< the lower number first

    /// @param searched  outlives it
    explicit Agreements(const SearchedImages &searched)
        : searched_(searched), whole_(searched.size()), details_(searched.size(), 1) {}

    void add(Agreement &&agreement);
    void add_difference(std::uint32_t first, std::uint32_t second) {
        different_.insert({first, second});
    }
    void set_detail(std::uint32_t image, double share) { details_[image] = share; }

    const std::vector<Agreement> &all() const { return all_; }
    std::vector<Agreement> &all() { return all_; }
    bool contains(std::uint32_t first, std::uint32_t second) const {
        return numbers_.contains({first, second});
    }
    /// Whether both were compared, and each shows something of its own.
    bool differ(std::uint32_t one, std::uint32_t other) const {
        return different_.contains(std::minmax(one, other));
    }
    const std::set<Pair> &differences() const { return different_; }
    /// REQUIRES: they agree
    const Agreement &of(std::uint32_t one, std::uint32_t other) const;

    std::vector<CopyEdge> copies() const;
    std::vector<CopyEdge> scenes() const;

    /// Kept ones before others, then by the preferences.
    std::uint32_t best_of(std::span<const std::uint32_t> images) const;
    bool is_kept_rather(std::uint32_t one, std::uint32_t other) const;
    bool is_better_image(std::uint32_t one, std::uint32_t other) const;
    /// Whether the first shows all that the second shows, and is the one to keep beyond doubt.
    /// REQUIRES: they agree
    bool stands_for(std::uint32_t one, std::uint32_t other) const;

  private:
    Contender contender(std::uint32_t image) const;
    Choice choose(std::uint32_t one, std::uint32_t other) const;

    const SearchedImages &searched_;
    std::vector<Agreement> all_;
    std::map<Pair, std::size_t> numbers_; ///< by pair
    std::set<Pair> different_;
    std::vector<Wholeness> whole_; ///< of each image, by the copies that it agrees with
    std::vector<double> details_;  ///< of each image (image_detail.hpp)
};

} // namespace bowhist

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

/// Two contents that show the same, and what they are to each other.
struct Agreement {
    CheckedPair pair = {};
    Judgement judgement = {};
    bool equal_pixels = false;   ///< all of them, in color
    bool looked_closely = false; ///< at both files (hidden_changes.hpp)
    bool hides = false;          ///< one shows what the other does not, too small for thumbnails
    bool unproven = false;       ///< what may differ is too small to be seen in what was compared
    std::optional<std::uint32_t> frame = {}; ///< the image that is a still and a frame of the other

    /// Whether one of them is a collage that holds the other.
    bool is_inlay() const { return judgement.first.holds || judgement.second.holds; }
    /// Whether the two may stand in one group.
    bool is_copy() const { return judgement.copy && !unproven && !frame; }
};

/// Knows of all pairs which agree, which were compared and differ, and which image of two
/// is the better one. Images are numbered as in `searched`.
///
/// Protocol: add() and add_difference() of all pairs; set_quality() of images that have copies;
/// then the questions, since each pair and each quality may change who is the best. One thread at a
/// time.
class Agreements {
  public:
    using Pair = std::pair<std::uint32_t, std::uint32_t>; ///< the lower number first

    /// @param searched  outlives it
    explicit Agreements(const SearchedImages &searched)
        : searched_(searched), whole_(searched.size()), qualities_(searched.size()),
          held_(searched.size()) {}

    void add(Agreement &&agreement);
    /// Two images that were compared, each of which shows something of its own.
    /// REQUIRES: first < second
    void add_difference(std::uint32_t first, std::uint32_t second) {
        different_.insert({first, second});
    }
    /// The quality of an image; that of a sharp one unless it is set.
    void set_quality(std::uint32_t image, const ImageQuality &quality) {
        qualities_[image] = quality;
    }

    /// Sets what an image's pixels hold beyond opaque colors of 8 bits: bits of HeldBeyond, at
    /// first 0.
    void set_held(std::uint32_t image, std::uint32_t bits) { held_[image] = bits; }

    const std::vector<Agreement> &all() const { return all_; }
    std::vector<Agreement> &all() { return all_; }
    /// Whether two images agree. REQUIRES: first < second
    bool contains(std::uint32_t first, std::uint32_t second) const {
        return numbers_.contains({first, second});
    }
    /// Whether add_difference() was called for the two, in either order.
    bool differ(std::uint32_t one, std::uint32_t other) const {
        return different_.contains(std::minmax(one, other));
    }
    const std::set<Pair> &differences() const { return different_; }
    /// The agreement of two images, in either order. REQUIRES: they agree
    const Agreement &of(std::uint32_t one, std::uint32_t other) const;
    Agreement &of(std::uint32_t one, std::uint32_t other);

    std::vector<CopyEdge> copies() const;
    std::vector<CopyEdge> scenes() const; ///< without copies and collages

    /// The best image: kept ones before others, then by the preferences. REQUIRES: not empty
    std::uint32_t best_of(std::span<const std::uint32_t> images) const;
    /// Whether the first is kept by an earlier folder than the second, or the second by none.
    bool is_kept_rather(std::uint32_t one, std::uint32_t other) const;
    /// Whether the preferences put the first before the second.
    bool is_better_image(std::uint32_t one, std::uint32_t other) const;
    /// Whether the second may go because the first stays: the first shows all that the second
    /// shows, in no less detail, and is beyond doubt the one to keep. REQUIRES: they agree
    bool stands_for(std::uint32_t one, std::uint32_t other) const;

  private:
    bool agree(std::uint32_t one, std::uint32_t other) const {
        return numbers_.contains(std::minmax(one, other));
    }
    Contender contender(std::uint32_t image, std::uint32_t other) const;
    Choice choose(std::uint32_t one, std::uint32_t other) const;
    /// Whether the first has alpha, or more bits of a color, that the second lacks.
    bool holds_more(std::uint32_t one, std::uint32_t other) const {
        return (held_[one] & ~held_[other]) != 0;
    }
    bool is_beyond_doubt(const Choice &choice, const Agreement &agreement) const;

    const SearchedImages &searched_;
    std::vector<Agreement> all_;
    std::map<Pair, std::size_t> numbers_; ///< by pair
    std::set<Pair> different_;
    std::vector<Wholeness> whole_;        ///< of each image, by the copies that it agrees with
    std::vector<ImageQuality> qualities_; ///< of each image
    std::vector<std::uint32_t> held_;     ///< of each image, bits of HeldBeyond
};

} // namespace bowhist

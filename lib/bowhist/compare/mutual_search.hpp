#pragma once

#include <bowhist/compare/best_images.hpp>
#include <bowhist/compare/image_search.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Images by their numbers, held against images of higher numbers: a score counts for both. So all
/// pairs of images take half of the time of searching for each among all, and what was found of one
/// says which scores matter to it. Searched for in falling order, an image is met when it was held
/// against most that lie in front of it: few scores matter to it then.
class MutualSearch {
  public:
    /// @param images   by words, or by codes
    /// @param numbers  of each, falling. All outlive the object
    /// @param most     that `best` keeps of each
    MutualSearch(const SearchableImages &images, std::span<const std::uint32_t> numbers,
                 BestOfEach &best, std::size_t most);

    /// Compares each query with the images whose numbers are not below its own; with its own image,
    /// the score counts once. All threads; the same answers for any number of them, and for any
    /// order. @param of_queries  their numbers; each pair of numbers is compared once
    void compare(std::span<const ImageQuery> queries, std::span<const std::uint32_t> of_queries);

    // The state that a comparison reads and adds to.

    std::span<const std::uint32_t> numbers() const { return numbers_; }
    BestOfEach &best() { return best_; }
    /// The lowest scores in floats that count: of each image, and of a last window's rest.
    std::span<const float> limits() const { return limits_; }
    /// Limits only rise. One thread an image.
    void raise_limit(std::size_t image, float score) {
        limits_[image] = std::max(limits_[image], score);
    }

  private:
    const SearchableImages &images_;
    std::span<const std::uint32_t> numbers_;
    BestOfEach &best_;
    std::size_t most_;
    std::vector<float> limits_;
};

} // namespace bowhist

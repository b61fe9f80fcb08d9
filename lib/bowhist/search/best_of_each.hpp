#pragma once

#include <bowhist/search/best_images.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Keeps the images of the highest scores above 0 for each of some images; among equal ones, those
/// of lower numbers. No more are kept, however many are equal.
class BestOfEach {
  public:
    /// @param most  of each, above 0
    BestOfEach(std::size_t images, std::size_t most)
        : most_(most), kept_(images), floors_(images) {}

    /// Lower scores are not kept; above 0.
    std::int64_t limit(std::uint32_t image) const {
        const auto score = static_cast<std::int64_t>(floors_[image] >> score_shift);
        return score > 0 ? score : 1;
    }
    /// One thread an image. @param found  below 2³²; once each
    void add(std::uint32_t image, const ScoredImage &found);
    /// The highest score first. They are kept no longer.
    std::vector<ScoredImage> take(std::uint32_t image);

  private:
    static constexpr int score_shift = 32;

    std::size_t most_;
    std::vector<std::vector<std::uint64_t>> kept_; ///< a score and, inverted, a number
    std::vector<std::uint64_t> floors_;            ///< the last of the best, once there are enough
};

} // namespace bowhist

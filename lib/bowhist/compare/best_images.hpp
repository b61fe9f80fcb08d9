#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bowhist {

/// An image that was found.
struct ScoredImage {
    std::uint32_t image = 0;
    std::int64_t score = 0;

    bool operator==(const ScoredImage &) const = default;
};

/// Keeps the images of the highest scores, and all that equal the last of them.
class BestImages {
  public:
    /// @param most  above 0
    explicit BestImages(std::size_t most) : most_(most), room_(2 * most) {}

    /// Lower scores are no longer kept.
    std::int64_t limit() const { return limit_; }
    void add(const ScoredImage &image);
    void add(const BestImages &other);
    /// The best images, the highest score first; among equal ones the lower index. They are as many
    /// as asked for, more if the last ones are equal, fewer if there are no more.
    std::vector<ScoredImage> sorted();
    /// Leaves out what is below the last of the best, which limit() is then.
    void prune();

  private:
    std::size_t most_;
    std::size_t room_; ///< of kept_, until it is pruned
    std::int64_t limit_ = std::numeric_limits<std::int64_t>::min();
    std::vector<ScoredImage> kept_;
};

/// The answers of several queries as those of one, whose scores are the best of theirs, in the same
/// order. With the best n images of each it has the best n.
std::vector<ScoredImage> best_of(std::span<const std::vector<ScoredImage>> answers);

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

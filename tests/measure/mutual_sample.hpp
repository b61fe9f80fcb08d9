// What comparing all images with each other costs, from a sample of the batches.
#pragma once

#include <bowhist/search/best_of_each.hpp>
#include <bowhist/search/mutual_search.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// What images have found once they were held against more images than they were. Of drawn images,
/// any are as like as any others: the place t among n images has about the score of the place
/// t·m/n among m.
class LaterLimits {
  public:
    /// @param found  of each image among `met` ones, up to `most`. It is taken
    LaterLimits(BestOfEach &found, std::size_t images, std::size_t met, std::size_t most)
        : met_(met), most_(most) {
        for (std::uint32_t i = 0; i < images; ++i) {
            auto &scores = scores_.emplace_back();
            for (const ScoredImage &best : found.take(i))
                scores.push_back(static_cast<std::uint32_t>(best.score));
        }
    }

    /// Every place with the score of the last one, by which alone a search goes.
    BestOfEach after(std::size_t met) const {
        BestOfEach best(scores_.size(), most_);
        for (std::uint32_t i = 0; i < scores_.size(); ++i)
            for (std::uint32_t place = 0; scores_[i].size() == most_ && place < most_; ++place)
                best.add(i, {place, limit(scores_[i], met)});
        return best;
    }

  private:
    /// Between two places, and above the first one, by the logarithm.
    std::int64_t limit(std::span<const std::uint32_t> scores, std::size_t met) const {
        const double place = double(most_) * double(met_) / double(met);
        const auto upper = std::max(std::size_t{1}, static_cast<std::size_t>(place));
        if (upper >= most_) return scores.back();
        const std::size_t lower = place < 1 ? most_ : upper + 1;
        const double share =
            std::log(place / double(upper)) / std::log(double(lower) / double(upper));
        return std::llround((1 - share) * scores[upper - 1] + share * scores[lower - 1]);
    }

    std::size_t met_, most_;
    std::vector<std::vector<std::uint32_t>> scores_; ///< of each image, the highest first
};

} // namespace bowhist

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace bowhist {

/// How many pixels have each level.
class LevelCounts {
  public:
    void add(double level) { ++counts_[static_cast<std::size_t>(std::clamp(level, 0.0, 255.0))]; }

    std::size_t at(int level) const { return counts_[static_cast<std::size_t>(level)]; }

    /// How many pixels have a level at most `most` beside `level`.
    std::size_t near(int level, int most) const {
        std::size_t sum = 0;
        for (int i = std::max(0, level - most); i <= std::min(255, level + most); ++i) sum += at(i);
        return sum;
    }
    std::size_t all() const { return near(0, 255); }

    /// The middle of the most frequent levels.
    int ground() const {
        int ground = 0;
        for (int middle = 1; middle < 256; ++middle)
            if (near(middle, about) > near(ground, about)) ground = middle;
        return ground;
    }
    /// The share of about the most frequent level; 0 of none.
    double flatness() const {
        const std::size_t most = near(ground(), about);
        return most > 0 ? static_cast<double>(most) / static_cast<double>(all()) : 0;
    }

    /// The share of about the two most frequent levels, as letters and their outlines have.
    double share_of_two() const {
        const int first = ground();
        std::size_t second = 0;
        for (int middle = 0; middle < 256; ++middle)
            if (std::abs(middle - first) > 2 * about)
                second = std::max(second, near(middle, about));
        const std::size_t both = near(first, about) + second;
        return both > 0 ? static_cast<double>(both) / static_cast<double>(all()) : 0;
    }

  private:
    static constexpr int about = 10;
    std::array<std::size_t, 256> counts_{};
};

} // namespace bowhist

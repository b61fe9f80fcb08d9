#pragma once

#include <bowhist/core/image.hpp>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace bowhist::testing {

/// Greys in sixteenths, smoothed straight from the definition (docs/descriptors.md).
class ReferenceGreys {
  public:
    explicit ReferenceGreys(const Image &image) : width_(image.width), height_(image.height) {
        for (const auto pixel : image.pixels) values_.push_back(pixel * 16);
    }

    int width() const { return width_; }
    int height() const { return height_; }

    /// Beyond the edges the outermost.
    long at(int x, int y) const {
        x = std::clamp(x, 0, width_ - 1);
        y = std::clamp(y, 0, height_ - 1);
        return values_[static_cast<std::size_t>(y * width_ + x)];
    }

    void smooth(int rounds) {
        for (; rounds > 0; --rounds) {
            std::vector<long> next;
            for (int y = 0; y < height_; ++y)
                for (int x = 0; x < width_; ++x) {
                    long sum = 0;
                    for (int j = -1; j <= 1; ++j)
                        for (int i = -1; i <= 1; ++i)
                            sum += (2 - std::abs(i)) * (2 - std::abs(j)) * at(x + i, y + j);
                    next.push_back((sum + 8) / 16);
                }
            values_ = next;
        }
    }

    /// Every second pixel of every second row.
    void halve() {
        std::vector<long> next;
        for (int y = 0; y < height_; y += 2)
            for (int x = 0; x < width_; x += 2) next.push_back(at(x, y));
        values_ = next;
        width_ = (width_ + 1) / 2;
        height_ = (height_ + 1) / 2;
    }

    /// Fractions of that many bits instead of four.
    void round_to(int bits) {
        for (long &value : values_) value = (value * (1L << bits) + 8) / 16;
    }

  private:
    int width_;
    int height_;
    std::vector<long> values_;
};

} // namespace bowhist::testing

#pragma once

#include <bowhist/duplicates/pixels/alignment.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bowhist {

/// Values of each pixel, averaged over 3 x 3 pixels.
class Averages {
  public:
    Averages(const Overlay &overlay, const std::vector<float> &levels) : overlay_(overlay) {
        values_.resize(levels.size());
        for (int y = 1; y + 1 < overlay.height; ++y)
            for (int x = 1; x + 1 < overlay.width; ++x) {
                double sum = 0;
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) sum += levels[overlay.at(x + dx, y + dy)];
                values_[overlay.at(x, y)] = sum / 9;
            }
    }
    double at(int x, int y) const { return values_[overlay_.at(x, y)]; }

  private:
    const Overlay &overlay_;
    std::vector<double> values_;
};

/// A flag of each pixel.
class Mask {
  public:
    template <typename Holds>
    Mask(const Overlay &overlay, const Holds &holds) : overlay_(overlay) {
        values_.resize(overlay.covered.size());
        for (int y = 1; y + 1 < overlay.height; ++y)
            for (int x = 1; x + 1 < overlay.width; ++x) values_[overlay.at(x, y)] = holds(x, y);
    }
    bool at(int x, int y) const { return values_[overlay_.at(x, y)] != 0; }
    int around(int x, int y) const { ///< of 3 x 3 pixels
        int count = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) count += at(x + dx, y + dy);
        return count;
    }

  private:
    const Overlay &overlay_;
    std::vector<std::uint8_t> values_;
};

/// A mask that grows and shrinks by squares.
class Spread {
  public:
    Spread(const Overlay &overlay, const Mask &mask) : overlay_(overlay) {
        for (int y = 0; y < overlay.height; ++y)
            for (int x = 0; x < overlay.width; ++x) values_.push_back(mask.at(x, y));
    }
    Spread grown(int by) const { return filtered(by, false); }
    Spread shrunk(int by) const { return filtered(by, true); }
    bool at(int x, int y) const { return values_[overlay_.at(x, y)] != 0; }

  private:
    Spread filtered(int by, bool whole) const {
        Spread result = *this;
        for (const bool along_rows : {true, false}) result.filter(by, whole, along_rows);
        return result;
    }
    /// Whether all within the window hold, or any.
    void filter(int by, bool whole, bool along_rows) {
        const int lines = along_rows ? overlay_.height : overlay_.width;
        const int length = along_rows ? overlay_.width : overlay_.height;
        std::vector<int> before(static_cast<std::size_t>(length) + 1); // how many hold
        for (int line = 0; line < lines; ++line) {
            const auto at = [&](int i) {
                return along_rows ? overlay_.at(i, line) : overlay_.at(line, i);
            };
            for (int i = 0; i < length; ++i)
                before[std::size_t(i) + 1] = before[std::size_t(i)] + values_[at(i)];
            for (int i = 0; i < length; ++i) {
                const int first = std::max(0, i - by), end = std::min(length, i + by + 1);
                const int count = before[std::size_t(end)] - before[std::size_t(first)];
                values_[at(i)] = count >= (whole ? end - first : 1);
            }
        }
    }

    const Overlay &overlay_;
    std::vector<std::uint8_t> values_;
};

/// The places of a grid's parts, each of which hangs together.
template <typename Holds>
std::vector<std::vector<std::pair<int, int>>> parts_of(int width, int height, const Holds &holds) {
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(width) *
                                   static_cast<std::size_t>(height));
    std::vector<std::vector<std::pair<int, int>>> parts;
    std::vector<std::pair<int, int>> part;
    const auto visit = [&](int x, int y) {
        if (x < 0 || y < 0 || x >= width || y >= height || !holds(x, y)) return;
        std::uint8_t &place = seen[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                   static_cast<std::size_t>(x)];
        if (place == 0) part.emplace_back(x, y);
        place = 1;
    };
    for (int top = 0; top < height; ++top)
        for (int left = 0; left < width; ++left) {
            visit(left, top);
            for (std::size_t i = 0; i < part.size(); ++i) {
                const auto [x, y] = part[i];
                for (int v = y - 1; v <= y + 1; ++v)
                    for (int u = x - 1; u <= x + 1; ++u) visit(u, v);
            }
            if (!part.empty()) parts.push_back(std::exchange(part, {}));
        }
    return parts;
}

} // namespace bowhist

#include <bowhist/duplicates/own_parts.hpp>

#include <bowhist/duplicates/tone_fit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

constexpr double visible = 24; ///< levels that images differ by where one has a part of its own
constexpr double step = 16;    ///< levels by which the one's edge is more than the other's
constexpr int reach = 3;       ///< pixels across an edge
constexpr std::size_t least_edge = 12;
constexpr double least_share = 0.25; ///< of both images' edges

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

/// What holds of each pixel.
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

/// The lower image's levels as they would be in the upper one.
Overlay laid_under(const Overlay &overlay) {
    constexpr int rounds = 6;
    Overlay swapped = overlay;
    std::swap(swapped.lower, swapped.plain);
    swapped.upper = swapped.plain;
    swapped.tone = fitted_line(swapped);
    for (int round = 0; round < rounds; ++round) swapped.tone = fitted_tone(swapped, swapped.tone);
    apply_tone(swapped);
    return swapped;
}

} // namespace

bool OwnParts::of_both() const {
    const std::size_t less = std::min(lower, upper);
    return less >= least_edge &&
           static_cast<double>(less) >= least_share * static_cast<double>(lower + upper);
}

OwnParts own_parts(const Overlay &overlay) {
    const Overlay swapped = laid_under(overlay);
    const Averages lower(overlay, overlay.lower), upper_as_lower(overlay, overlay.upper);
    const Averages upper(overlay, overlay.plain), lower_as_upper(overlay, swapped.upper);
    const Mask covered(overlay,
                       [&](int x, int y) { return overlay.covered[overlay.at(x, y)] != 0; });
    const Mask known(overlay, [&](int x, int y) { return covered.around(x, y) == 9; });
    // either way: a curve takes a level that only one image has for what the other has there
    const Mask differs(overlay, [&](int x, int y) {
        return known.at(x, y) && (std::abs(lower.at(x, y) - upper_as_lower.at(x, y)) >= visible ||
                                  std::abs(upper.at(x, y) - lower_as_upper.at(x, y)) >= visible);
    });
    // no lines: edges that lie a little beside each other
    const Mask core(overlay, [&](int x, int y) { return differs.around(x, y) == 9; });
    const Mask own(overlay, [&](int x, int y) { return core.around(x, y) > 0; });
    OwnParts parts;
    const auto across = [&](int x, int y, int u, int v) {
        if (u < 1 || v < 1 || u + 1 >= overlay.width || v + 1 >= overlay.height) return;
        if (!known.at(u, v) || differs.at(u, v)) return;
        const auto step_of = [&](const Averages &one, const Averages &other) {
            return std::max(std::abs(one.at(x, y) - one.at(u, v)),
                            std::abs(other.at(x, y) - other.at(u, v)));
        };
        const double of_lower = step_of(lower, lower_as_upper);
        const double of_upper = step_of(upper, upper_as_lower);
        parts.lower += of_lower > of_upper + step;
        parts.upper += of_upper > of_lower + step;
    };
    for (int y = 1; y + 1 < overlay.height; ++y)
        for (int x = 1; x + 1 < overlay.width; ++x) {
            if (!own.at(x, y)) continue;
            across(x, y, x - reach, y);
            across(x, y, x + reach, y);
            across(x, y, x, y - reach);
            across(x, y, x, y + reach);
        }
    return parts;
}

} // namespace bowhist

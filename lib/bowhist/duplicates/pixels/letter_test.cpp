#include <bowhist/duplicates/pixels/letter_test.hpp>

#include <bowhist/duplicates/pixels/even_light.hpp>
#include <bowhist/duplicates/pixels/level_counts.hpp>
#include <bowhist/duplicates/pixels/window_fit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace bowhist {
namespace {

constexpr int large = 1000; ///< pixels: letters have more of them, and windows lie farther apart

/// Whether a pixel of the mask lies within reach along rows, then along columns.
void spread(std::vector<std::uint8_t> &mask, int width, int height) {
    constexpr int reach = 6; ///< pixels: half of a thick stroke
    const auto along = [&mask](std::size_t first, std::size_t step, int count) {
        std::vector<int> before{0}; // of pixels in front
        for (int i = 0; i < count; ++i)
            before.push_back(before.back() + mask[first + static_cast<std::size_t>(i) * step]);
        for (int i = 0; i < count; ++i) {
            const auto from = static_cast<std::size_t>(std::max(0, i - reach));
            const auto to = static_cast<std::size_t>(std::min(count, i + reach + 1));
            mask[first + static_cast<std::size_t>(i) * step] = before[to] > before[from];
        }
    };
    const auto columns = static_cast<std::size_t>(width);
    for (int y = 0; y < height; ++y) along(static_cast<std::size_t>(y) * columns, 1, width);
    for (int x = 0; x < width; ++x) along(static_cast<std::size_t>(x), columns, height);
}

double thin_share(const Overlay &overlay) {
    constexpr double of_paper = 30; // levels
    const std::vector<float> levels = evenly_lit(overlay.lower, overlay.width, overlay.height);
    LevelCounts counts;
    for (const float level : levels) counts.add(level);
    const int paper = counts.ground();
    std::vector<std::uint8_t> mask;
    for (const float level : levels) mask.push_back(std::abs(level - paper) <= of_paper);
    std::vector<std::uint8_t> near = mask;
    spread(near, overlay.width, overlay.height);
    std::size_t ink_pixels = 0, thin = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (mask[i] != 0) continue;
        ++ink_pixels;
        thin += near[i];
    }
    return ink_pixels > 0 ? static_cast<double>(thin) / static_cast<double>(ink_pixels) : 0;
}

/// Sums of an image's levels over rectangles with corners between pixels.
class AreaSums {
  public:
    explicit AreaSums(const Image &image)
        : width_(image.width), height_(image.height),
          sums_(static_cast<std::size_t>(image.width + 1) *
                static_cast<std::size_t>(image.height + 1)) {
        for (int y = 0; y < height_; ++y) {
            std::int64_t row = 0;
            for (int x = 0; x < width_; ++x) {
                row += image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                    static_cast<std::size_t>(x)];
                sums_[at(x + 1, y + 1)] = sums_[at(x + 1, y)] + row;
            }
        }
    }

    /// Over pixels' areas: pixel 0 reaches from 0 to 1.
    double mean(double left, double top, double right, double bottom) const {
        left = std::clamp(left, 0.0, double(width_));
        right = std::clamp(right, 0.0, double(width_));
        top = std::clamp(top, 0.0, double(height_));
        bottom = std::clamp(bottom, 0.0, double(height_));
        const double area = (right - left) * (bottom - top);
        if (!(area > 0)) return 0;
        return (to(right, bottom) - to(left, bottom) - to(right, top) + to(left, top)) / area;
    }

  private:
    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_ + 1) +
               static_cast<std::size_t>(x);
    }
    double to(double x, double y) const {
        const int column = std::min(static_cast<int>(x), width_ - 1);
        const int row = std::min(static_cast<int>(y), height_ - 1);
        const double right = x - column, below = y - row;
        const auto sum = [&](int u, int v) { return static_cast<double>(sums_[at(u, v)]); };
        const double above = sum(column, row) + right * (sum(column + 1, row) - sum(column, row));
        const double under =
            sum(column, row + 1) + right * (sum(column + 1, row + 1) - sum(column, row + 1));
        return above + below * (under - above);
    }

    int width_, height_;
    std::vector<std::int64_t> sums_;
};

} // namespace

void sample_areas(Overlay &overlay, const Image &upper, const AffineMap &map) {
    const double half = std::max(std::sqrt(std::abs(map.determinant())), 1.0) / 2;
    const AreaSums sums(upper);
    for (int y = 0; y < overlay.height; ++y)
        for (int x = 0; x < overlay.width; ++x) {
            const std::size_t at = overlay.at(x, y);
            if (overlay.covered[at] == 0) continue;
            const double u = map.a11 * x + map.a12 * y + map.tx + 0.5;
            const double v = map.a21 * x + map.a22 * y + map.ty + 0.5;
            overlay.plain[at] =
                static_cast<float>(sums.mean(u - half, v - half, u + half, v + half));
        }
    overlay.upper = overlay.plain;
    apply_tone(overlay);
}

LetterAgreement letter_agreement(const Overlay &overlay, const Box &covered) {
    const bool is_large = std::max(overlay.width, overlay.height) > large;
    const int step = is_large ? 4 : 2;
    const std::size_t alone = is_large ? 2 : 6; // windows: a letter fills more
    constexpr int side = WindowFit::side;
    const WindowFit fit(overlay);
    std::vector<double> all;
    for (int y = 0; y + side <= overlay.height; y += step)
        for (int x = 0; x + side <= overlay.width; x += step) {
            if (covered.holds(x, y) || covered.holds(x + side - 1, y + side - 1)) continue;
            if (const double left = fit.left(x, y); left >= 0) all.push_back(left);
        }
    std::ranges::sort(all);
    LetterAgreement result{.windows = all.size(), .thin = thin_share(overlay)};
    if (all.size() < alone) return result;
    result.changed = all[all.size() - alone];
    result.usual = all[all.size() * 99 / 100];
    return result;
}

} // namespace bowhist

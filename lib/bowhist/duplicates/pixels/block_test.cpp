#include <bowhist/duplicates/pixels/block_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bowhist {
namespace {

constexpr double least_deviation = 6;   ///< of levels: a block of less has no texture
constexpr double least_texture = 1000;  ///< of squared slopes, along a direction, to know a shift
constexpr double least_of_letters = 16; ///< the same of letters: 50 levels from their paper
constexpr double noise_allowance = 4;   ///< of a shift's variance
constexpr double differing = 0.3;       ///< correlation of blocks that show something else
constexpr double poor_correlation = 0.5;

struct Block {
    int x = 0;
    int y = 0;
};

bool is_covered(const Overlay &overlay, const Block &block) {
    for (int y = block.y; y < block.y + block_side; ++y)
        for (int x = block.x; x < block.x + block_side; ++x)
            if (overlay.covered[overlay.at(x, y)] == 0) return false;
    return true;
}

struct Moments {
    double lower = 0, upper = 0;                         ///< means
    double lower_square = 0, upper_square = 0, both = 0; ///< of differences from the means
};

Moments moments_of(const Overlay &overlay, const Block &block) {
    constexpr double n = block_side * block_side;
    Moments m;
    const auto each = [&](const auto &use) {
        for (int y = block.y; y < block.y + block_side; ++y)
            for (int x = block.x; x < block.x + block_side; ++x) {
                const std::size_t at = overlay.at(x, y);
                use(double{overlay.lower[at]}, double{overlay.upper[at]});
            }
    };
    each([&](double lower, double upper) {
        m.lower += lower;
        m.upper += upper;
    });
    m.lower /= n;
    m.upper /= n;
    each([&](double lower, double upper) {
        const double a = lower - m.lower, b = upper - m.upper;
        m.lower_square += a * a;
        m.upper_square += b * b;
        m.both += a * b;
    });
    return m;
}

/// Levels averaged over 3 x 3 pixels; at the edges of what is covered, as they are.
std::vector<float> smoothed(const Overlay &overlay, const std::vector<float> &levels) {
    std::vector<float> smooth = levels;
    const auto row = static_cast<std::size_t>(overlay.width);
    for (int y = 1; y + 1 < overlay.height; ++y)
        for (int x = 1; x + 1 < overlay.width; ++x) {
            const std::size_t at = overlay.at(x, y);
            double sum = 0;
            int count = 0;
            for (const std::size_t middle : {at - row, at, at + row})
                for (std::size_t i = middle - 1; i <= middle + 1; ++i) {
                    sum += levels[i];
                    count += overlay.covered[i];
                }
            if (count == 9) smooth[at] = static_cast<float>(sum / 9);
        }
    return smooth;
}

/// The block's own shift, by its slopes: along both directions of its texture, or along one.
void find_shift(const Overlay &overlay, const Block &block, BlockAgreement &agreement) {
    const Moments moments = moments_of(overlay, block);
    double xx = 0, xy = 0, yy = 0, xd = 0, yd = 0, dd = 0;
    std::size_t pixels = 0;
    const auto row = static_cast<std::size_t>(overlay.width);
    const double offset = moments.lower - moments.upper;
    for (int y = block.y + 1; y + 1 < block.y + block_side; ++y)
        for (int x = block.x + 1; x + 1 < block.x + block_side; ++x) {
            const std::size_t at = overlay.at(x, y);
            const auto slope = [&](std::size_t before, std::size_t after) {
                return 0.25 * (double{overlay.upper[after]} - overlay.upper[before] +
                               double{overlay.lower[after]} - overlay.lower[before]);
            };
            const double gx = slope(at - 1, at + 1), gy = slope(at - row, at + row);
            const double d = double{overlay.lower[at]} - overlay.upper[at] - offset;
            xx += gx * gx;
            xy += gx * gy;
            yy += gy * gy;
            xd += gx * d;
            yd += gy * d;
            dd += d * d;
            ++pixels;
        }
    // the directions of most and of least texture
    const double half = (xx - yy) / 2;
    const double root = std::sqrt(half * half + xy * xy);
    const double most = (xx + yy) / 2 + root, least = (xx + yy) / 2 - root;
    if (!(most >= least_texture)) return;
    double cx = half + root, cy = xy;
    if (half < 0) {
        cx = xy;
        cy = root - half;
    }
    const double length = std::sqrt(cx * cx + cy * cy);
    if (length > 0) {
        cx /= length;
        cy /= length;
    } else {
        cx = 1;
        cy = 0;
    }
    const double along = (cx * xd + cy * yd) / most;
    double squared = along * along, inverse = 1 / most, explained = along * along * most;
    if (least >= least_texture) {
        const double across = (cx * yd - cy * xd) / least;
        squared += across * across;
        inverse += 1 / least;
        explained += across * across * least;
    }
    const double noise = std::max(dd - explained, 0.0) / static_cast<double>(pixels - 3);
    agreement.has_shift = true;
    agreement.shift = std::sqrt(std::max(squared - noise_allowance * noise * inverse, 0.0));
}

BlockAgreement compare(const Overlay &smooth, const Block &block) {
    constexpr double n = block_side * block_side;
    const Moments moments = moments_of(smooth, block);
    BlockAgreement agreement;
    agreement.lower_deviation = std::sqrt(moments.lower_square / n);
    agreement.upper_deviation = std::sqrt(moments.upper_square / n);
    agreement.is_textured =
        std::max(agreement.lower_deviation, agreement.upper_deviation) >= least_deviation;
    const double scale = moments.lower_square * moments.upper_square;
    agreement.correlation = scale > 0 ? moments.both / std::sqrt(scale) : 0;
    if (agreement.is_textured) find_shift(smooth, block, agreement);
    return agreement;
}

/// The value that a share of all lies below; 0 of none.
double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double deviation_of(const Overlay &overlay) {
    double sum = 0, n = 0;
    for (std::size_t i = 0; i < overlay.covered.size(); ++i) {
        if (overlay.covered[i] == 0) continue;
        const double d = double{overlay.lower[i]} - overlay.upper[i];
        sum += d * d;
        n += 1;
    }
    return n > 0 ? std::sqrt(sum / n) : 0;
}

/// The share of blocks that agree, among those with texture in the image of `deviation`.
double agreeing_of(const std::vector<BlockAgreement> &blocks, double BlockAgreement::*deviation) {
    std::size_t textured = 0, agreeing = 0;
    for (const BlockAgreement &block : blocks) {
        if (block.*deviation < least_deviation) continue;
        ++textured;
        agreeing += block.correlation >= good_correlation;
    }
    return textured > 0 ? static_cast<double>(agreeing) / static_cast<double>(textured) : 0;
}

/// Blocks that show something in one image, and nothing in the other.
std::size_t alone_in(const std::vector<BlockAgreement> &blocks, double BlockAgreement::*one,
                     double BlockAgreement::*other) {
    return static_cast<std::size_t>(std::ranges::count_if(blocks, [&](const auto &block) {
        return block.*one >= least_deviation && block.*other < least_deviation &&
               block.correlation < poor_correlation;
    }));
}

void summarize(OverlayAgreement &result) {
    std::vector<double> correlations, shifts;
    for (const BlockAgreement &block : result.blocks) {
        if (!block.is_textured) continue;
        correlations.push_back(block.correlation);
        if (block.has_shift && block.correlation >= good_correlation) shifts.push_back(block.shift);
    }
    result.textured = correlations.size();
    result.replaced = static_cast<std::size_t>(std::ranges::count_if(result.blocks, is_replaced));
    result.differing = static_cast<std::size_t>(std::ranges::count_if(
        correlations, [](double correlation) { return correlation < differing; }));
    result.poor = static_cast<std::size_t>(std::ranges::count_if(
        correlations, [](double correlation) { return correlation < poor_correlation; }));
    result.alone = std::min(
        alone_in(result.blocks, &BlockAgreement::lower_deviation, &BlockAgreement::upper_deviation),
        alone_in(result.blocks, &BlockAgreement::upper_deviation,
                 &BlockAgreement::lower_deviation));
    result.shifts = shifts.size();
    result.lower_quartile = quantile(correlations, 0.25);
    result.median = quantile(correlations, 0.5);
    const auto good = std::ranges::count_if(
        correlations, [](double correlation) { return correlation >= good_correlation; });
    if (result.textured > 0)
        result.agreeing = static_cast<double>(good) / static_cast<double>(result.textured);
    result.lower_agreeing = agreeing_of(result.blocks, &BlockAgreement::lower_deviation);
    result.upper_agreeing = agreeing_of(result.blocks, &BlockAgreement::upper_deviation);
    result.shift_quartile = quantile(shifts, 0.75);
    result.shift_nine_tenths = quantile(shifts, 0.9);
}

} // namespace

bool is_replaced(const BlockAgreement &block) {
    const auto [less, more] = std::minmax(block.lower_deviation, block.upper_deviation);
    return less >= least_of_letters && more <= 2 * less && block.correlation < poor_correlation;
}

OverlayAgreement agreement_of(const Overlay &overlay) {
    Overlay smooth = overlay;
    smooth.lower = smoothed(overlay, overlay.lower);
    smooth.upper = smoothed(overlay, overlay.upper);
    OverlayAgreement result;
    for (int y = 0; y + block_side <= overlay.height; y += block_side)
        for (int x = 0; x + block_side <= overlay.width; x += block_side)
            if (is_covered(overlay, {x, y})) {
                result.blocks.push_back(compare(smooth, {x, y}));
                result.blocks.back().x = x;
                result.blocks.back().y = y;
            }
    summarize(result);
    result.deviation = deviation_of(overlay);
    return result;
}

} // namespace bowhist

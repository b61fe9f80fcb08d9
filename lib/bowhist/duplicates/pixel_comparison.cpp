#include <bowhist/duplicates/pixel_comparison.hpp>

#include <bowhist/duplicates/level_counts.hpp>
#include <bowhist/duplicates/maps.hpp>
#include <bowhist/pictures/area_average.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

constexpr double as_it_is = 1.1;        ///< a view that is finer than this is shrunk
constexpr double doubtful_shift = 0.25; ///< pixels, of three quarters of the blocks
constexpr std::size_t least_shifts = 6; ///< that say it
constexpr double least_agreeing = 0.7;  ///< share of an image's blocks

PixelScale scale_of(const SizedThumbnail &image) {
    return {double(image.thumbnail.luma.width) / image.width,
            double(image.thumbnail.luma.height) / image.height};
}

/// An image shrunk, and the scale that this was.
Image shrunk(const Image &image, double scale, PixelScale &by) {
    by = {1, 1};
    if (scale < as_it_is) return image;
    const PixelSize size{std::max(2, static_cast<int>(image.width / scale + 0.5)),
                         std::max(2, static_cast<int>(image.height / scale + 0.5))};
    if (size.width > image.width || size.height > image.height) return image;
    by = {double(size.width) / image.width, double(size.height) / image.height};
    Raster small = shrink({image.width, image.height, Color::grey, image.pixels}, size);
    return {small.width, small.height, std::move(small.samples)};
}

bool lies_within(const AffineMap &map, int x, int y, int width, int height) {
    const double u = map.a11 * x + map.a12 * y + map.tx;
    const double v = map.a21 * x + map.a22 * y + map.ty;
    return u >= -1 && v >= -1 && u <= width && v <= height;
}

/// By how much pixels a few apart differ more across the edge than within.
double step_across(const Image &image, const std::vector<std::uint8_t> &within) {
    constexpr int reach = 3;
    double across = 0, crossings = 0, inside = 0, insides = 0;
    const auto at = [&image](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
               static_cast<std::size_t>(x);
    };
    const auto compare = [&](std::size_t one, std::size_t other) {
        const int difference = std::abs(int{image.pixels[one]} - int{image.pixels[other]});
        if (within[one] != within[other]) {
            across += difference;
            crossings += 1;
        } else if (within[one] != 0) {
            inside += difference;
            insides += 1;
        }
    };
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            if (x + reach < image.width) compare(at(x, y), at(x + reach, y));
            if (y + reach < image.height) compare(at(x, y), at(x, y + reach));
        }
    if (crossings == 0 || insides == 0) return 0;
    return across / crossings - inside / insides;
}

Beyond beyond(const Image &image, const AffineMap &map, const Image &other) {
    LevelCounts levels;
    std::vector<std::uint8_t> within(image.pixels.size());
    std::size_t i = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x, ++i) {
            within[i] = lies_within(map, x, y, other.width, other.height);
            if (within[i] == 0) levels.add(image.pixels[i]);
        }
    const std::size_t count = levels.all();
    if (count == 0) return {};
    return {static_cast<double>(count) / static_cast<double>(image.pixels.size()),
            levels.flatness(), step_across(image, within)};
}

/// How much of an image is of about one level: of a page, its paper.
double plain_share(const Image &image) {
    LevelCounts levels;
    for (const std::uint8_t level : image.pixels) levels.add(level);
    return levels.flatness();
}

double mean_change(const ToneCurve &tone, const Image &image) {
    double sum = 0;
    for (const std::uint8_t level : image.pixels) sum += std::abs(tone.at(level) - level);
    return sum / static_cast<double>(image.pixels.size());
}

/// How much two colors differ beside their luma.
double color_difference(const std::uint8_t *one, const std::uint8_t *other) {
    const int first = (one[0] - one[1]) - (other[0] - other[1]);
    const int second = (one[2] - one[1]) - (other[2] - other[1]);
    return (std::abs(first) + std::abs(second)) / 2.0;
}

/// @param map  from the lower thumbnail to the upper one
double mean_color_difference(const Raster &lower, const Raster &upper, const AffineMap &map) {
    double sum = 0, n = 0;
    for (int y = 0; y < lower.height; ++y)
        for (int x = 0; x < lower.width; ++x) {
            const double u = map.a11 * x + map.a12 * y + map.tx + 0.5;
            const double v = map.a21 * x + map.a22 * y + map.ty + 0.5;
            if (!(u >= 0 && v >= 0 && u < upper.width && v < upper.height)) continue;
            const auto at = [](const Raster &image, int column, int row) {
                return image.samples.data() + static_cast<std::size_t>(row) * image.row_samples() +
                       static_cast<std::size_t>(column) * 3;
            };
            sum += color_difference(at(lower, x, y),
                                    at(upper, static_cast<int>(u), static_cast<int>(v)));
            n += 1;
        }
    return n > 0 ? sum / n : 0;
}

/// Where blocks differ: which image has more texture there, -1 … 1.
double busier(const OverlayAgreement &agreement) {
    double lower = 0, upper = 0;
    for (const BlockAgreement &block : agreement.blocks) {
        if (!block.is_textured || block.correlation >= 0.5) continue;
        lower += block.lower_deviation;
        upper += block.upper_deviation;
    }
    return lower + upper > 0 ? (lower - upper) / (lower + upper) : 0;
}

struct Laid {
    Overlay overlay;
    OverlayAgreement agreement;
};

Laid laid_over(const Image &lower, const Image &upper, const AffineMap &map, ToneFit fit) {
    Laid laid{lay_over(lower, upper, map, fit), {}};
    laid.agreement = agreement_of(laid.overlay);
    return laid;
}

/// A curve that falls may be bent by what is laid over an image, so that blocks of the picture
/// seem to be shifted. Then a curve near a line counts, if most blocks of an image agree with it.
Laid laid_over(const Image &lower, const Image &upper, const AffineMap &map) {
    Laid laid = laid_over(lower, upper, map, ToneFit::free);
    if (!laid.overlay.tone.falls() || laid.agreement.shift_quartile <= doubtful_shift) return laid;
    Laid again = laid_over(lower, upper, map, ToneFit::near_line);
    const OverlayAgreement &agreement = again.agreement;
    if (agreement.shifts < least_shifts ||
        agreement.shift_quartile >= laid.agreement.shift_quartile ||
        std::max(agreement.lower_agreeing, agreement.upper_agreeing) < least_agreeing)
        return laid;
    return again;
}

/// With the lower image first.
PixelComparison compare_over(const SizedThumbnail &lower, const SizedThumbnail &upper,
                             const AffineMap &map, double scale) {
    PixelScale by;
    const Image small = shrunk(upper.thumbnail.luma, scale, by);
    const auto [overlay, agreement] =
        laid_over(lower.thumbnail.luma, small, composed(scaling(by), map));
    const AffineMap back = composed(inverse(scaling(by)), overlay.map);
    PixelComparison result;
    result.map = {0, 0, 0, 0, 0, 0};
    const double area = std::abs(overlay.map.determinant());
    if (!(area >= 0.25 && area <= 4)) return result; // astray: no map, nothing agrees
    result.agreement = agreement;
    result.first = beyond(lower.thumbnail.luma, overlay.map, small);
    result.second = beyond(small, inverse(overlay.map), lower.thumbnail.luma);
    result.tone = mean_change(overlay.tone, small);
    result.chroma = mean_color_difference(lower.thumbnail.color, upper.thumbnail.color, back);
    result.busier = busier(result.agreement);
    if (result.agreement.differing > 0) result.own = own_parts(overlay);
    result.plain = std::min(plain_share(lower.thumbnail.luma), plain_share(small));
    const PixelScale one = scale_of(lower), other = scale_of(upper);
    result.map = between(back, {1 / one.x, 1 / one.y}, {1 / other.x, 1 / other.y});
    return result;
}

} // namespace

PixelComparison compare_pixels(const SizedThumbnail &first, const SizedThumbnail &second,
                               const AffineMap &map) {
    const AffineMap small = between(map, scale_of(first), scale_of(second));
    const double scale = std::sqrt(std::abs(small.determinant()));
    PixelComparison result;
    result.map = map;
    if (!(scale > 0.01 && scale < 100)) return result;
    if (scale >= 1) {
        result = compare_over(first, second, small, scale);
    } else {
        result = compare_over(second, first, inverse(small), 1 / scale);
        std::swap(result.first, result.second);
        std::swap(result.agreement.lower_agreeing, result.agreement.upper_agreeing);
        result.busier = -result.busier;
        std::swap(result.own.lower, result.own.upper);
        std::swap(result.own.lower_unhidden, result.own.upper_unhidden);
        if (result.map.determinant() != 0) result.map = inverse(result.map);
    }
    if (result.map.determinant() == 0) result.map = map;
    return result;
}

} // namespace bowhist

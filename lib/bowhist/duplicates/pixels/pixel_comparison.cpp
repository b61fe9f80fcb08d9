#include <bowhist/duplicates/pixels/pixel_comparison.hpp>

#include <bowhist/duplicates/pixels/even_light.hpp>
#include <bowhist/duplicates/pixels/fading.hpp>
#include <bowhist/duplicates/pixels/level_counts.hpp>
#include <bowhist/duplicates/pixels/maps.hpp>
#include <bowhist/duplicates/pixels/tone_fit.hpp>
#include <bowhist/duplicates/pixels/window_fit.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/decode_raster.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace bowhist {
namespace {

constexpr int step = 4;           ///< pixels from window to window
constexpr double little = 0.25;   ///< left in a window: less is not measured
constexpr double plain_step = 40; ///< levels between two windows without ink that differ
constexpr std::size_t alone = 3;  ///< windows that noise may change
constexpr std::size_t around = 9; ///< windows: one and those beside it

/// Whether both images are plain in the window, and of other levels: within a thing of one level.
bool is_other_plain(const Overlay &overlay, int left, int top) {
    constexpr double pixels = WindowFit::side * WindowFit::side;
    double sum = 0;
    for (int y = top; y < top + WindowFit::side; ++y)
        for (int x = left; x < left + WindowFit::side; ++x) {
            const std::size_t at = overlay.at(x, y);
            if (overlay.covered[at] == 0) return false;
            sum += double{overlay.lower[at]} - overlay.upper[at];
        }
    return std::abs(sum) >= pixels * plain_step;
}

/// The shares of variance that are left in windows, row after row.
struct Windows {
    int columns = 0, rows = 0;
    std::vector<double> left = {};     ///< 0 without ink, 1 where plain windows differ
    std::vector<double> with_ink = {}; ///< of these alone

    double at(int column, int row) const {
        if (column < 0 || row < 0 || column >= columns || row >= rows) return 0;
        return left[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column)];
    }
    double median_around(int column, int row) const {
        std::array<double, around> some{};
        std::size_t i = 0;
        for (const int y : {row - 1, row, row + 1})
            for (const int x : {column - 1, column, column + 1}) some[i++] = at(x, y);
        std::ranges::nth_element(some, some.begin() + around / 2);
        return some[around / 2];
    }
    /// The most that is left but for what noise may change.
    double most() const {
        std::vector<double> medians;
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                medians.push_back(median_around(column, row));
        if (medians.size() < alone) return 0;
        std::ranges::nth_element(medians, medians.begin() + alone - 1, std::greater{});
        return medians[alone - 1];
    }
    double usual() const {
        if (with_ink.empty()) return 0;
        std::vector<double> all = with_ink;
        const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
        std::ranges::nth_element(all, half);
        return *half;
    }
    /// Nothing is left in windows where the levels are those that a tone gives.
    Windows without(const Overlay &overlay, const std::vector<float> &levels,
                    const std::vector<float> &given) const {
        Windows rest = *this;
        for (std::size_t i = 0; i < left.size(); ++i) {
            const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
            if (left[i] >= little && are_given(overlay, levels, given, column * step, row * step))
                rest.left[i] = 0;
        }
        return rest;
    }

    /// Nothing is left in windows that lie as near to each other as letters, if some of them lie
    /// near a square that is marked.
    Windows without(const Squares &squares) const {
        constexpr int apart = 4; // windows
        Windows rest = *this;
        std::vector<std::size_t> open;
        const auto visit = [&](int column, int row) {
            if (rest.at(column, row) < little) return;
            open.push_back(static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                           static_cast<std::size_t>(column));
            rest.left[open.back()] = 0;
        };
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                if (squares.are_near(column * step + step, row * step + step)) visit(column, row);
        while (!open.empty()) {
            const int column = static_cast<int>(open.back()) % columns;
            const int row = static_cast<int>(open.back()) / columns;
            open.pop_back();
            for (int v = row - apart; v <= row + apart; ++v)
                for (int u = column - apart; u <= column + apart; ++u) visit(u, v);
        }
        return rest;
    }

  private:
    static bool are_given(const Overlay &overlay, const std::vector<float> &levels,
                          const std::vector<float> &given, int x, int y) {
        constexpr double pixels = WindowFit::side * WindowFit::side;
        constexpr double by_encoding = 8; // levels
        double sum = 0;
        for (int v = y; v < y + WindowFit::side; ++v)
            for (int u = x; u < x + WindowFit::side; ++u) {
                const double difference =
                    double{levels[overlay.at(u, v)]} - given[overlay.at(u, v)];
                sum += difference * difference;
            }
        return sum <= pixels * by_encoding * by_encoding;
    }
};

Windows windows_of(const Overlay &overlay) {
    Windows windows;
    if (std::min(overlay.width, overlay.height) < WindowFit::side) return windows;
    windows.columns = (overlay.width - WindowFit::side) / step + 1;
    windows.rows = (overlay.height - WindowFit::side) / step + 1;
    const WindowFit fit(overlay);
    for (int y = 0; y < windows.rows * step; y += step)
        for (int x = 0; x < windows.columns * step; x += step) {
            const double left = fit.left(x, y, little);
            if (left >= 0) windows.with_ink.push_back(left);
            windows.left.push_back(left >= 0 ? left : is_other_plain(overlay, x, y) ? 1 : 0);
        }
    return windows;
}

double mean_change(const ToneCurve &tone, const std::vector<std::uint8_t> &levels) {
    double sum = 0;
    for (const std::uint8_t level : levels) sum += std::abs(tone.at(level) - level);
    return sum / static_cast<double>(levels.size());
}

} // namespace

LocalLook look_locally(const Overlay &overlay) {
    const Windows windows = windows_of(overlay);
    LocalLook look;
    LocalChange &change = look.change;
    change.most = windows.most();
    change.usual = windows.usual();
    if (!change.is_clear()) return look;
    look.own = own_parts(overlay);
    const Windows beyond_first =
        windows.without(overlay, overlay.plain, turned_over(overlay).upper);
    const Windows beyond_second = windows.without(overlay, overlay.lower, overlay.upper);
    change.beyond_first = beyond_first.most();
    change.beyond_second = beyond_second.most();
    change.unlaid_first = beyond_second.without(look.own.of_lower).most();
    change.unlaid_second = beyond_first.without(look.own.of_upper).most();
    return look;
}

Thumbnail decode_thumbnail(std::string_view jpeg, const std::filesystem::path &name) {
    const ImageLimits limits{.max_side = 0};
    ImageFile file = check_image_bytes(jpeg, name, limits);
    Thumbnail thumbnail;
    thumbnail.color = decode_raster(file, name, limits, Color::bgr, nullptr);
    const Raster &color = thumbnail.color;
    thumbnail.luma = {color.width, color.height, {}};
    thumbnail.luma.pixels.reserve(color.samples.size() / 3);
    for (std::size_t i = 0; i < color.samples.size(); i += 3)
        thumbnail.luma.pixels.push_back(
            grey_of(color.samples[i + 2], color.samples[i + 1], color.samples[i]));
    return thumbnail;
}

namespace {

constexpr double as_it_is = 1.1;        ///< a view that is finer than this is shrunk
constexpr double doubtful_shift = 0.25; ///< pixels, of three quarters of the blocks
constexpr std::size_t least_shifts = 6; ///< that say it
constexpr double least_agreeing = 0.7;  ///< share of an image's blocks

constexpr double goes_on = 0.02;    ///< share of an image beyond the other that may fade
constexpr double looks_alike = 0.5; ///< correlation of three quarters of the blocks

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

/// How much of an image is of about one level: of a page, its paper.
double plain_share(const Image &image) {
    LevelCounts levels;
    for (const std::uint8_t level : image.pixels) levels.add(level);
    return levels.flatness();
}

/// Sums of a block's colors beside their luma.
struct ColorSums {
    int first = 0, second = 0, pixels = 0;

    void add(const std::uint8_t *one, const std::uint8_t *other) {
        first += (one[0] - one[1]) - (other[0] - other[1]);
        second += (one[2] - one[1]) - (other[2] - other[1]);
        ++pixels;
    }
    double difference() const { return (std::abs(first) + std::abs(second)) / (2.0 * pixels); }
};

/// Compares the colors of blocks, so that noise and texture cancel out.
/// @param map  from the lower thumbnail to the upper one
void compare_colors(const Raster &lower, const Raster &upper, const AffineMap &map,
                    PixelComparison &result) {
    const int columns = lower.width / block_side + 1;
    std::vector<ColorSums> blocks(static_cast<std::size_t>(columns) *
                                  static_cast<std::size_t>(lower.height / block_side + 1));
    const auto at = [](const Raster &image, int column, int row) {
        return image.samples.data() + static_cast<std::size_t>(row) * image.row_samples() +
               static_cast<std::size_t>(column) * 3;
    };
    for (int y = 0; y < lower.height; ++y)
        for (int x = 0; x < lower.width; ++x) {
            const double u = map.a11 * x + map.a12 * y + map.tx + 0.5;
            const double v = map.a21 * x + map.a22 * y + map.ty + 0.5;
            if (!(u >= 0 && v >= 0 && u < upper.width && v < upper.height)) continue;
            blocks[static_cast<std::size_t>(y / block_side * columns + x / block_side)].add(
                at(lower, x, y), at(upper, static_cast<int>(u), static_cast<int>(v)));
        }
    double sum = 0, n = 0;
    for (const ColorSums &block : blocks) {
        if (block.pixels < block_side * block_side / 2) continue;
        sum += block.difference();
        n += 1;
        result.most_chroma = std::max(result.most_chroma, block.difference());
    }
    result.chroma = n > 0 ? sum / n : 0;
}

/// The image that has more texture where blocks differ, -1 … 1.
double busier(const OverlayAgreement &agreement) {
    double lower = 0, upper = 0;
    for (const BlockAgreement &block : agreement.blocks) {
        if (!block.is_textured || block.correlation >= 0.5) continue;
        lower += block.lower_deviation;
        upper += block.upper_deviation;
    }
    return lower + upper > 0 ? (lower - upper) / (lower + upper) : 0;
}

/// Looks at the blocks outside of what the image that begins more begins alone.
void look_around(PixelComparison &result) {
    std::size_t agreeing = 0;
    const Box &box = result.own.laid_over;
    for (const BlockAgreement &block : result.agreement.blocks) {
        const bool beside = block.x > box.right || block.x + block_side <= box.left ||
                            block.y > box.bottom || block.y + block_side <= box.top;
        if (!block.is_textured || !beside) continue;
        ++result.around;
        agreeing += block.correlation >= good_correlation;
    }
    if (result.around > 0)
        result.agreeing_around = static_cast<double>(agreeing) / static_cast<double>(result.around);
}

struct Laid {
    Overlay overlay;
    OverlayAgreement agreement;
};

Image half_of(const Image &image) {
    Raster half = shrink({image.width, image.height, Color::grey, image.pixels},
                         {image.width / 2, image.height / 2});
    return {half.width, half.height, std::move(half.samples)};
}

PixelScale scale_to(const Image &image, const Image &from) {
    return {double(image.width) / from.width, double(image.height) / from.height};
}

/// A better map between large images, found in half of their size: thin letters must lie within a
/// pixel of each other before they can be laid over each other.
AffineMap map_of_halves(const Image &lower, const Image &upper, const AffineMap &map) {
    constexpr double of_letters =
        60; // levels: thin ones that lie half a pixel off differ by as much
    if (!is_large(lower.width, lower.height) || !is_large(upper.width, upper.height)) return map;
    const Image small_lower = half_of(lower), small_upper = half_of(upper);
    const PixelScale from = scale_to(small_lower, lower), to = scale_to(small_upper, upper);
    const AffineMap start = map_of_halves(small_lower, small_upper, between(map, from, to));
    const Overlay overlay = lay_over(small_lower, small_upper, start, ToneFit::free, of_letters);
    return between(overlay.map, {1 / from.x, 1 / from.y}, {1 / to.x, 1 / to.y});
}

Laid laid_over(const Image &lower, const Image &upper, const AffineMap &map, ToneFit fit) {
    Laid laid{lay_over(lower, upper, map, fit), {}};
    laid.agreement = agreement_of(laid.overlay);
    return laid;
}

/// A curve that falls may be bent by what is laid over an image, so that blocks of the picture
/// seem to be shifted. Then a curve near a line counts, if most blocks of an image agree with it.
Laid laid_over(const Image &lower, const Image &upper, const AffineMap &rough) {
    const AffineMap map = map_of_halves(lower, upper, rough);
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
                             const AffineMap &map, double scale, Look look) {
    PixelScale by;
    const Image small = shrunk(upper.thumbnail.luma, scale, by);
    auto [overlay, agreement] = laid_over(lower.thumbnail.luma, small, composed(scaling(by), map));
    const AffineMap back = composed(inverse(scaling(by)), overlay.map);
    PixelComparison result;
    result.map = {0, 0, 0, 0, 0, 0};
    const double area = std::abs(overlay.map.determinant());
    if (!(area >= 0.25 && area <= 4)) return result; // astray: no map, nothing agrees
    const PixelScale one = scale_of(lower), other = scale_of(upper);
    result.map = between(back, {1 / one.x, 1 / one.y}, {1 / other.x, 1 / other.y});
    result.compared =
        static_cast<std::size_t>(std::min(lower.thumbnail.luma.width, lower.thumbnail.luma.height));
    result.agreement = agreement;
    if (look == Look::local) {
        Overlay closely = overlay;
        sample_areas(closely, upper.thumbnail.luma, back);
        LocalLook local = look_locally(closely);
        result.local = local.change;
        result.own = std::move(local.own);
        if (const Box &filled = result.own.filled; !filled.is_empty())
            result.filled =
                holding_part(scaling({1 / one.x, 1 / one.y}),
                             {filled.left, filled.top, filled.right + 1, filled.bottom + 1});
        return result;
    }
    result.first = beyond(lower.thumbnail.luma, overlay.map, small);
    result.second = beyond(small, inverse(overlay.map), lower.thumbnail.luma);
    if (look == Look::thumbnails && std::max(result.first.share, result.second.share) > goes_on) {
        const Fading fading = fading_of(overlay, small.width, small.height);
        result.first.faded = fading.of_upper;
        result.second.faded = fading.of_lower;
    }
    result.tone = mean_change(overlay.tone, small.pixels);
    compare_colors(lower.thumbnail.color, upper.thumbnail.color, back, result);
    result.busier = busier(result.agreement);
    if (result.agreement.poor > 0 || result.agreement.lower_quartile >= looks_alike)
        result.own = own_parts(overlay);
    look_around(result);
    if (look == Look::close) {
        sample_areas(overlay, upper.thumbnail.luma, back);
        result.letters =
            letter_agreement(overlay, result.own.is_one_sided() ? result.own.laid_over : Box{});
    }
    result.plain = std::min(plain_share(lower.thumbnail.luma), plain_share(small));
    if (look == Look::thumbnails)
        result.even = std::min(even_share(lower.thumbnail.luma), even_share(small));
    return result;
}

} // namespace

double even_share(const Image &image) {
    LevelCounts levels;
    const std::vector<float> all(image.pixels.begin(), image.pixels.end());
    for (const float level : evenly_lit(all, image.width, image.height)) levels.add(level);
    return levels.flatness();
}

PixelComparison compare_pixels(const SizedThumbnail &first, const SizedThumbnail &second,
                               const AffineMap &map, Look look) {
    const AffineMap small = between(map, scale_of(first), scale_of(second));
    const double scale = std::sqrt(std::abs(small.determinant()));
    PixelComparison result;
    result.map = map;
    if (!(scale > 0.01 && scale < 100)) return result;
    if (scale >= 1) {
        result = compare_over(first, second, small, scale, look);
    } else {
        result = compare_over(second, first, inverse(small), 1 / scale, look);
        std::swap(result.first, result.second);
        std::swap(result.local.beyond_first, result.local.beyond_second);
        std::swap(result.local.unlaid_first, result.local.unlaid_second);
        std::swap(result.agreement.lower_agreeing, result.agreement.upper_agreeing);
        result.busier = -result.busier;
        std::swap(result.own.lower, result.own.upper);
        std::swap(result.own.lower_unhidden, result.own.upper_unhidden);
        std::swap(result.own.moved.lower, result.own.moved.upper);
        std::swap(result.own.lower_untoned, result.own.upper_untoned);
        std::swap(result.own.lower_narrow, result.own.upper_narrow);
        result.own.flatter = -result.own.flatter;
        if (result.map.determinant() != 0) {
            if (result.filled != PartOfImage{})
                result.filled = holding_part(result.map, result.filled);
            result.map = inverse(result.map);
        }
    }
    if (result.map.determinant() == 0) result.map = map;
    return result;
}

Overlay laid_under(const SizedThumbnail &small, const SizedThumbnail &image, const AffineMap &map) {
    if (small.thumbnail.luma.pixels.empty() || image.thumbnail.luma.pixels.empty()) return {};
    const AffineMap scaled = between(map, scale_of(small), scale_of(image));
    PixelScale by;
    const Image upper = shrunk(image.thumbnail.luma, std::sqrt(std::abs(scaled.determinant())), by);
    return laid_over(small.thumbnail.luma, upper, composed(scaling(by), scaled)).overlay;
}

} // namespace bowhist

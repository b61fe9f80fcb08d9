#include <bowhist/duplicates/pixels/tone_fit.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace bowhist {
namespace {

/// Pixels from one that is looked at to the next. No divisor of the width: each row has others.
std::size_t stride_of(const Overlay &overlay) {
    if (!is_large(overlay.width, overlay.height)) return 1;
    return overlay.width % 7 == 0 ? 8 : 7;
}

/// @param weight  of a pixel of an upper level and a lower one
template <typename Weight>
ToneCurve line_through(const Overlay &overlay, const Weight &weight) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    const std::size_t stride = stride_of(overlay);
    for (std::size_t i = 0; i < overlay.covered.size(); i += stride) {
        if (overlay.covered[i] == 0) continue;
        const double u = overlay.upper[i], v = overlay.lower[i], w = weight(u, v);
        n += w;
        x += w * u;
        y += w * v;
        xx += w * u * u;
        xy += w * u * v;
    }
    const double spread = n * xx - x * x;
    const double slope = spread > 0 ? (n * xy - x * y) / spread : 1;
    ToneCurve tone;
    for (std::size_t i = 0; i < tone.values.size(); ++i)
        tone.values[i] =
            n > 0 ? (y + slope * (static_cast<double>(i) * ToneCurve::step * n - x)) / n : 0;
    return tone;
}

} // namespace

ToneCurve ToneCurve::identity() {
    ToneCurve tone;
    for (std::size_t i = 0; i < tone.values.size(); ++i)
        tone.values[i] = static_cast<double>(i) * ToneCurve::step;
    return tone;
}

bool ToneCurve::falls() const {
    constexpr double visible_fall = 32;
    double highest = values.front();
    for (const double value : values) {
        if (value < highest - visible_fall) return true;
        highest = std::max(highest, value);
    }
    return false;
}

ToneCurve fitted_line(const Overlay &overlay) {
    return line_through(overlay, [](double, double) { return 1.0; });
}

ToneCurve fitted_line(const Overlay &overlay, const ToneCurve &before) {
    return line_through(overlay, [&before](double level, double lower) {
        return weight_of(before.at(level) - lower);
    });
}

ToneCurve fitted_tone(const Overlay &overlay, const ToneCurve &before, double farthest) {
    constexpr std::size_t levels = std::tuple_size_v<decltype(before.values)>;
    std::array<double, levels> sums{}, weights{};
    const std::size_t stride = stride_of(overlay);
    for (std::size_t i = 0; i < overlay.covered.size(); i += stride) {
        if (overlay.covered[i] == 0) continue;
        const double level = overlay.upper[i];
        // what the curve misses here, given to both ends of its piece
        const double missing = overlay.lower[i] - before.at(level);
        if (std::abs(missing) > farthest) continue;
        const double weight = weight_of(missing);
        const auto low = std::min(static_cast<std::size_t>(level / ToneCurve::step), levels - 2);
        const double share = level / ToneCurve::step - static_cast<double>(low);
        sums[low] += weight * (1 - share) * missing;
        weights[low] += weight * (1 - share);
        sums[low + 1] += weight * share * missing;
        weights[low + 1] += weight * share;
    }
    ToneCurve tone = before;
    constexpr double prior = 8; ///< pixels that say: as before
    for (std::size_t i = 0; i < levels; ++i) tone.values[i] += sums[i] / (weights[i] + prior);
    return tone;
}

Overlay turned_over(const Overlay &overlay) {
    constexpr int rounds = 6;
    Overlay swapped = overlay;
    std::swap(swapped.lower, swapped.plain);
    swapped.upper = swapped.plain;
    swapped.tone = fitted_line(swapped);
    for (int round = 0; round < rounds; ++round) swapped.tone = fitted_tone(swapped, swapped.tone);
    apply_tone(swapped);
    return swapped;
}

} // namespace bowhist

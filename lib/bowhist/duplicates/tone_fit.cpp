#include <bowhist/duplicates/tone_fit.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

namespace bowhist {
namespace {

constexpr double level_step = 16;

} // namespace

ToneCurve ToneCurve::identity() {
    ToneCurve tone;
    for (std::size_t i = 0; i < tone.values.size(); ++i)
        tone.values[i] = static_cast<double>(i) * level_step;
    return tone;
}

double ToneCurve::at(double level) const {
    const auto low =
        std::min(static_cast<std::size_t>(std::max(level, 0.0) / level_step), values.size() - 2);
    const double share = level / level_step - static_cast<double>(low);
    return values[low] + share * (values[low + 1] - values[low]);
}

ToneCurve fitted_line(const Overlay &overlay) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < overlay.covered.size(); ++i) {
        if (overlay.covered[i] == 0) continue;
        const double u = overlay.upper[i], v = overlay.lower[i];
        n += 1;
        x += u;
        y += v;
        xx += u * u;
        xy += u * v;
    }
    const double spread = n * xx - x * x;
    const double slope = spread > 0 ? (n * xy - x * y) / spread : 1;
    ToneCurve tone;
    for (std::size_t i = 0; i < tone.values.size(); ++i)
        tone.values[i] =
            n > 0 ? (y + slope * (static_cast<double>(i) * level_step * n - x)) / n : 0;
    return tone;
}

ToneCurve fitted_tone(const Overlay &overlay, const ToneCurve &before) {
    constexpr std::size_t levels = std::tuple_size_v<decltype(before.values)>;
    std::array<double, levels> sums{}, weights{};
    for (std::size_t i = 0; i < overlay.covered.size(); ++i) {
        if (overlay.covered[i] == 0) continue;
        const double level = overlay.upper[i];
        const double weight = weight_of(before.at(level) - overlay.lower[i]);
        const auto low = std::min(static_cast<std::size_t>(level / level_step), levels - 2);
        const double share = level / level_step - static_cast<double>(low);
        // what the curve misses here, given to both ends of its piece
        const double missing = overlay.lower[i] - before.at(level);
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

} // namespace bowhist

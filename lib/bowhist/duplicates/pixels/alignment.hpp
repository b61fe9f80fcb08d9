#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/search/geometry.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// How one image's levels become another's: linear between 17 levels, 16 apart.
struct ToneCurve {
    static constexpr double step = 16; ///< levels
    std::array<double, 17> values{};

    static ToneCurve identity();
    double at(double level) const {
        const auto low =
            std::min(static_cast<std::size_t>(std::max(level, 0.0) / step), values.size() - 2);
        const double share = level / step - static_cast<double>(low);
        return values[low] + share * (values[low + 1] - values[low]);
    }

    /// Whether brighter levels become much darker ones. No edit does so but a negative; it is the
    /// level of something laid over the image that stands for what lies below.
    bool falls() const;
};

/// Levels that pixels of copies differ by, beside what is laid over one of them.
inline constexpr double usual_level_difference = 12;

/// Which curves are fitted.
enum class ToneFit {
    free,     ///< any
    near_line ///< within some levels of a line
};

/// One image laid over another. Rows after rows of the lower image's pixels.
struct Overlay {
    int width = 0;
    int height = 0;
    AffineMap map = {};                ///< from the lower image to the upper one
    ToneCurve tone = {};               ///< of the upper image
    std::vector<float> lower;          ///< levels
    std::vector<float> upper;          ///< levels, with the tone curve
    std::vector<float> plain;          ///< of the upper image, without
    std::vector<std::uint8_t> covered; ///< 1: the upper image lies there

    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(x);
    }
};

/// So large that a half of its size says nearly all, and a part of its pixels how levels change.
inline bool is_large(int width, int height) {
    constexpr int large = 400; // pixels; thumbnails have fewer
    return std::min(width, height) >= large;
}

/// Gives the upper levels the tone curve.
void apply_tone(Overlay &overlay);

/// Lays `upper` over `lower` so that they agree best: an affine map and a tone curve, by
/// Gauss-Newton steps on every fourth pixel that give pixels with large differences less weight
/// (what is laid over an image moves nothing).
///
/// float64, + - × ÷ only, in a fixed order. One thread, any number at once.
/// @param map  from `lower` to `upper`, off by a pixel or two; about as many pixels in both
/// @return nothing covered where the images leave each other
/// @param usual_difference  levels: pixels that differ by more have less weight
Overlay lay_over(const Image &lower, const Image &upper, const AffineMap &map,
                 ToneFit fit = ToneFit::free, double usual_difference = usual_level_difference);

} // namespace bowhist

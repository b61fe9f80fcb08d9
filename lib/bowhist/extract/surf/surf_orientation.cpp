// Orientations by the host's vector units (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_orientation.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_haar-inl.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>
#include <bowhist/extract/surf/surf_orientation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#ifndef BOWHIST_SURF_ORIENTATION_ONCE
#define BOWHIST_SURF_ORIENTATION_ONCE
namespace bowhist {

/// Haar responses around a keypoint, by their place in the square, and where they point to.
struct CircleResponses {
    static constexpr std::size_t count = +SURF_CIRCLE_SIDE * +SURF_CIRCLE_SIDE;
    std::array<std::int32_t, count> x;
    std::array<std::int32_t, count> y;
    std::array<int, count> sector;
};

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {

/// Sums at the corners of the samples' squares, which samples share, as they lie a scale apart.
struct Corners {
    static constexpr int side = SURF_CIRCLE_SIDE + 4; ///< squares reach 2 scales from their middles
    std::int32_t rows[side][side];
};

/// @param x, y  of the middle; corners beyond the image are those of its edge
void load_corners(const IntegralImage &sums, int x, int y, int scale, Corners &corners) {
    const auto place = [scale](int middle, int i, int size) {
        return std::clamp(middle + (i - Corners::side / 2) * scale, 0, size);
    };
    int columns[Corners::side];
    for (int i = 0; i < Corners::side; ++i) columns[i] = place(x, i, sums.width);
    for (int row = 0; row < Corners::side; ++row) {
        const auto *from =
            reinterpret_cast<const std::int32_t *>(sums.row(place(y, row, sums.height)));
        for (int i = 0; i < Corners::side; ++i) corners.rows[row][i] = from[columns[i]];
    }
}

/// Responses of 4·scale pixels a side, weighted and rounded to whole numbers.
void respond_around(const IntegralImage &sums, const std::vector<float> &circle,
                    const Keypoint &keypoint, CircleResponses &responses) {
    const D d;
    const Whole whole;
    static_assert(hn::MaxLanes(D()) <= 8 && SURF_CIRCLE_SIDE >= 8);
    const auto lanes = static_cast<int>(hn::Lanes(d));
    const auto scale = static_cast<int>(std::floor(keypoint.scale + 0.5F));
    const auto x = static_cast<int>(std::floor(keypoint.x + 1.0F));
    const auto y = static_cast<int>(std::floor(keypoint.y + 1.0F));
    Corners corners;
    load_corners(sums, x, y, scale, corners);
    const float unit = 256.0F * reciprocal(static_cast<float>(4 * scale * scale));
    const auto half = hn::Set(d, 0.5F);
    for (int row = 0; row < SURF_CIRCLE_SIDE; ++row) {
        const int below = y + (row - SURF_CIRCLE_SIDE / 2) * scale;
        const bool is_within = below >= 2 * scale && below <= sums.height - 2 * scale;
        const auto unit_here = hn::Set(d, is_within ? unit : 0.0F);
        for (int i = 0; i < SURF_CIRCLE_SIDE; i += lanes) {
            const int first = std::min(i, SURF_CIRCLE_SIDE - lanes); // some are computed twice
            const auto found = haar_sums([&](int a, int b) HWY_ATTR {
                return hn::LoadU(whole, corners.rows[row + 2 * b] + first + 2 * a);
            });
            const auto steps = hn::Iota(whole, first - SURF_CIRCLE_SIDE / 2);
            const auto across = hn::Add(hn::Mul(steps, hn::Set(whole, scale)), hn::Set(whole, x));
            const auto inside = hn::And(hn::Gt(across, hn::Set(whole, 2 * scale - 1)),
                                        hn::Lt(across, hn::Set(whole, sums.width - 2 * scale + 1)));
            const auto sample = static_cast<std::size_t>(row * SURF_CIRCLE_SIDE + first);
            const auto weight =
                hn::IfThenElseZero(hn::RebindMask(d, inside),
                                   hn::Mul(hn::LoadU(d, circle.data() + sample), unit_here));
            const auto rounded = [&](Wholes sum) HWY_ATTR {
                return hn::ConvertTo(
                    whole, hn::Floor(hn::Add(hn::Mul(hn::ConvertTo(d, sum), weight), half)));
            };
            hn::StoreU(rounded(found.x), whole, responses.x.data() + sample);
            hn::StoreU(rounded(found.y), whole, responses.y.data() + sample);
        }
    }
    // the compiler makes vectors of this loop
    for (std::size_t i = 0; i < CircleResponses::count; ++i)
        responses.sector[i] =
            sector_of(static_cast<float>(responses.x[i]), static_cast<float>(responses.y[i]));
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(respond_around);

/// The longest of the vector sums under a window of 60 degrees that slides over the circle.
Direction dominant(const CircleResponses &responses) {
    constexpr int ends = SURF_SECTORS + SURF_WINDOW + 1;
    std::int32_t x[ends] = {}; // of all sectors before; the first SURF_WINDOW follow once more
    std::int32_t y[ends] = {};
    for (std::size_t i = 0; i < CircleResponses::count; ++i) {
        x[responses.sector[i] + 1] += responses.x[i];
        y[responses.sector[i] + 1] += responses.y[i];
    }
    for (std::int32_t *sums : {x, y}) std::copy_n(sums + 1, +SURF_WINDOW, sums + 1 + SURF_SECTORS);
    for (int end = 1; end < ends; ++end) {
        x[end] += x[end - 1];
        y[end] += y[end - 1];
    }
    float along[SURF_SECTORS];
    float down[SURF_SECTORS];
    float squares[SURF_SECTORS];
    for (int first = 0; first < SURF_SECTORS; ++first) {
        along[first] = static_cast<float>(x[first + SURF_WINDOW] - x[first]);
        down[first] = static_cast<float>(y[first + SURF_WINDOW] - y[first]);
        squares[first] = along[first] * along[first] + down[first] * down[first];
    }
    // std::max_element would wait for each comparison
    const float most = std::reduce(squares, squares + SURF_SECTORS, 0.0F,
                                   [](float a, float b) { return std::max(a, b); });
    if (most == 0) return {1, 0};
    const auto longest = std::find(squares, squares + SURF_SECTORS, most) - squares;
    const float root = inverse_root(most);
    return {along[longest] * root, down[longest] * root};
}

} // namespace

Direction orientation_of(const Keypoint &keypoint, const IntegralImage &sums) {
    static const std::vector<float> circle = surf_circle();
    CircleResponses responses;
    HWY_DYNAMIC_DISPATCH(respond_around)(sums, circle, keypoint, responses);
    return dominant(responses);
}

} // namespace bowhist
#endif

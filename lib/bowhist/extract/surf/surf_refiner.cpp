// Places of keypoints by the host's vector units (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_refiner.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_extractor.hpp>

#include <hwy/highway.h>

#ifndef BOWHIST_SURF_REFINER_ONCE
#define BOWHIST_SURF_REFINER_ONCE
namespace bowhist {

constexpr int row_squares = REFINE_SIDE + 1; ///< whole vectors

/// Three rows of squares: a Gaussian and its derivatives, applied down the columns.
struct Columns {
    float values[3][row_squares];
    float slopes[3][row_squares];
    float bends[3][row_squares];
};

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void sum_columns(const float (&greys)[REFINE_SIDE][row_squares], const SurfSquares &squares,
                 Columns &columns) {
    const hn::CappedTag<float, row_squares> d;
    for (int row = 0; row < 3; ++row)
        for (int x = 0; x < row_squares; x += static_cast<int>(hn::Lanes(d))) {
            const auto middle = hn::LoadU(d, greys[row + REFINE_TAPS] + x);
            auto value = middle;
            auto slope = hn::Zero(d);
            auto bend = hn::Mul(hn::Set(d, squares.bends[0]), middle);
            for (int i = 1; i <= REFINE_TAPS; ++i) {
                const auto below = hn::LoadU(d, greys[row + REFINE_TAPS + i] + x);
                const auto above = hn::LoadU(d, greys[row + REFINE_TAPS - i] + x);
                const auto both = hn::Add(below, above);
                value = hn::Add(value, hn::Mul(hn::Set(d, squares.values[i]), both));
                slope =
                    hn::Add(slope, hn::Mul(hn::Set(d, squares.slopes[i]), hn::Sub(below, above)));
                bend = hn::Add(bend, hn::Mul(hn::Set(d, squares.bends[i]), both));
            }
            hn::StoreU(value, d, columns.values[row] + x);
            hn::StoreU(slope, d, columns.slopes[row] + x);
            hn::StoreU(bend, d, columns.bends[row] + x);
        }
}

/// At the 3x3 places, row by row.
void find_determinants(const float (&greys)[REFINE_SIDE][row_squares], const SurfSquares &squares,
                       float (&determinants)[9 + 1]) {
    Columns columns;
    sum_columns(greys, squares, columns);
    const hn::CappedTag<float, 4> d; // of a row's four the last is overwritten
    for (int row = 0; row < 3; ++row)
        for (int x = 0; x < 4; x += static_cast<int>(hn::Lanes(d))) {
            const float *values = columns.values[row] + REFINE_TAPS + x;
            const float *slopes = columns.slopes[row] + REFINE_TAPS + x;
            const float *bends = columns.bends[row] + REFINE_TAPS + x;
            auto xx = hn::Mul(hn::Set(d, squares.bends[0]), hn::LoadU(d, values));
            auto xy = hn::Zero(d);
            auto yy = hn::LoadU(d, bends);
            for (int i = 1; i <= REFINE_TAPS; ++i) {
                const auto both = hn::Add(hn::LoadU(d, values + i), hn::LoadU(d, values - i));
                const auto rise = hn::Sub(hn::LoadU(d, slopes + i), hn::LoadU(d, slopes - i));
                const auto bent = hn::Add(hn::LoadU(d, bends + i), hn::LoadU(d, bends - i));
                xx = hn::Add(xx, hn::Mul(hn::Set(d, squares.bends[i]), both));
                xy = hn::Add(xy, hn::Mul(hn::Set(d, squares.slopes[i]), rise));
                yy = hn::Add(yy, hn::Mul(hn::Set(d, squares.values[i]), bent));
            }
            hn::StoreU(hn::Sub(hn::Mul(xx, yy), hn::Mul(xy, xy)), d, determinants + 3 * row + x);
        }
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(find_determinants);

/// The sums of the squares' pixels. The last of each row means nothing.
void sum_squares(const IntegralImage &sums, const SurfSquares &squares,
                 float (&greys)[REFINE_SIDE][row_squares]) {
    for (int y = 0; y < REFINE_SIDE; ++y) {
        const std::uint32_t *upper = sums.row(squares.top + y * squares.side) + squares.left;
        const std::uint32_t *lower = sums.row(squares.top + (y + 1) * squares.side) + squares.left;
        std::uint32_t before = lower[0] - upper[0];
        for (int x = 0; x < REFINE_SIDE; ++x) {
            const int at = (x + 1) * squares.side;
            const std::uint32_t after = lower[at] - upper[at];
            greys[y][x] = static_cast<float>(static_cast<std::int32_t>(after - before));
            before = after;
        }
        greys[y][REFINE_SIDE] = 0;
    }
}

} // namespace

void refine_surf(const IntegralImage &sums, std::span<Keypoint> keypoints) {
    for (Keypoint &one : keypoints) {
        const SurfSquares squares = squares_around(one.x, one.y, one.scale);
        if (!squares_fit(squares, sums.width, sums.height)) continue;
        float greys[REFINE_SIDE][row_squares];
        sum_squares(sums, squares, greys);
        float determinants[9 + 1];
        HWY_DYNAMIC_DISPATCH(find_determinants)(greys, squares, determinants);
        const SurfTop top = fit_top(determinants);
        if (top.near) {
            one.x = place_of(top.x, squares.left, squares.side);
            one.y = place_of(top.y, squares.top, squares.side);
        } else {
            one.response = unconfirmed(one.response);
        }
    }
}

} // namespace bowhist
#endif

#include <bowhist/extract/surf/surf_refiner.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/extract/extract_launch.hpp>

namespace bowhist {
namespace {

constexpr int pitch = REFINE_SIDE + 1; ///< of whole vectors

/// Three rows of squares: down the columns a Gaussian and its derivatives.
struct Columns {
    float values[3][pitch];
    float slopes[3][pitch];
    float bends[3][pitch];
};

/// The sums of the squares' pixels. The last of each row means nothing.
inline void load(const IntegralImage &sums, const SurfSquares &squares,
                 float (&greys)[REFINE_SIDE][pitch]) {
    for (int y = 0; y < REFINE_SIDE; ++y) {
        const std::uint32_t *upper = sums.row(squares.top + y * squares.side) + squares.left;
        const std::uint32_t *lower = sums.row(squares.top + (y + 1) * squares.side) + squares.left;
        std::uint32_t down[pitch + 1] = {};
        for (int x = 0; x < pitch; ++x) down[x] = lower[x * squares.side] - upper[x * squares.side];
        for (int x = 0; x < pitch; ++x)
            greys[y][x] = static_cast<float>(static_cast<std::int32_t>(down[x + 1] - down[x]));
    }
}

inline void sum_columns(const float (&greys)[REFINE_SIDE][pitch], const SurfSquares &squares,
                        Columns &columns) {
    for (int row = 0; row < 3; ++row)
        for (int x = 0; x < pitch; ++x) {
            const float middle = greys[row + REFINE_TAPS][x];
            float value = middle;
            float slope = 0;
            float bend = squares.bends[0] * middle;
            for (int i = 1; i <= REFINE_TAPS; ++i) {
                const float below = greys[row + REFINE_TAPS + i][x];
                const float above = greys[row + REFINE_TAPS - i][x];
                value = value + squares.values[i] * (below + above);
                slope = slope + squares.slopes[i] * (below - above);
                bend = bend + squares.bends[i] * (below + above);
            }
            columns.values[row][x] = value;
            columns.slopes[row][x] = slope;
            columns.bends[row][x] = bend;
        }
}

inline void determine(const Columns &columns, const SurfSquares &squares,
                      float (&determinants)[9]) {
    for (int at = 0; at < 9; ++at) {
        const float *values = columns.values[at / 3] + at % 3 + REFINE_TAPS;
        const float *slopes = columns.slopes[at / 3] + at % 3 + REFINE_TAPS;
        const float *bends = columns.bends[at / 3] + at % 3 + REFINE_TAPS;
        float xx = squares.bends[0] * values[0];
        float xy = 0;
        float yy = bends[0];
        for (int i = 1; i <= REFINE_TAPS; ++i) {
            xx = xx + squares.bends[i] * (values[i] + values[-i]);
            xy = xy + squares.slopes[i] * (slopes[i] - slopes[-i]);
            yy = yy + squares.values[i] * (bends[i] + bends[-i]);
        }
        determinants[at] = xx * yy - xy * xy;
    }
}

} // namespace

BOWHIST_FOR_EACH_CPU
void refine_surf(const IntegralImage &sums, std::span<Keypoint> keypoints) {
    for (Keypoint &one : keypoints) {
        const SurfSquares squares = squares_around(one.x, one.y, one.scale);
        if (!squares_fit(squares, sums.width, sums.height)) continue;
        float greys[REFINE_SIDE][pitch];
        Columns columns;
        float determinants[9];
        load(sums, squares, greys);
        sum_columns(greys, squares, columns);
        determine(columns, squares, determinants);
        const SurfPeak top = fit_top(determinants);
        if (!top.near) continue;
        one.x = refined(squares.left, squares.side, top.x);
        one.y = refined(squares.top, squares.side, top.y);
    }
}

} // namespace bowhist

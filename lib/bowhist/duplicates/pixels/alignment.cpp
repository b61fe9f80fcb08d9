#include <bowhist/duplicates/pixels/alignment.hpp>

#include <bowhist/duplicates/pixels/maps.hpp>
#include <bowhist/duplicates/pixels/symmetric_system.hpp>
#include <bowhist/duplicates/pixels/tone_fit.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace bowhist {
namespace {

constexpr int most_steps = 12;
constexpr double last_move = 0.01; ///< pixels: a shorter step is the last one
constexpr double small_move = 0.1; ///< pixels: a large image stays where it lies
constexpr double farthest = 8;     ///< pixels that a corner may move in all
constexpr int stride = 2;
constexpr std::size_t parameters = 6;

using Vector = std::array<double, parameters>;
using Matrix = std::array<Vector, parameters>;

/// The levels of `image` at the places of each pixel, between pixels linearly.
void warp(const Image &image, Overlay &overlay) {
    const AffineMap &map = overlay.map;
    const auto last_x = static_cast<double>(image.width - 1);
    const auto last_y = static_cast<double>(image.height - 1);
    for (int y = 0; y < overlay.height; ++y)
        for (int x = 0; x < overlay.width; ++x) {
            const double u = map.a11 * x + map.a12 * y + map.tx;
            const double v = map.a21 * x + map.a22 * y + map.ty;
            const std::size_t at = overlay.at(x, y);
            overlay.covered[at] = u >= 0 && v >= 0 && u <= last_x && v <= last_y;
            if (overlay.covered[at] == 0) continue;
            const int column = std::min(static_cast<int>(u), image.width - 2);
            const int row = std::min(static_cast<int>(v), image.height - 2);
            const double right = u - column, below = v - row;
            const std::uint8_t *p =
                image.pixels.data() +
                static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                static_cast<std::size_t>(column);
            const double above_value = p[0] + right * (p[1] - p[0]);
            const double below_value =
                p[image.width] + right * (p[image.width + 1] - p[image.width]);
            overlay.upper[at] =
                static_cast<float>(above_value + below * (below_value - above_value));
        }
}

/// Fits the curve again, as the images lie now.
/// @param line  the one before
void fit_tone(Overlay &overlay, ToneFit fit, ToneCurve &line) {
    constexpr int rounds = 6;
    constexpr double beside_line = 40; // levels
    if (fit == ToneFit::free) {
        overlay.tone = fitted_tone(overlay, overlay.tone);
        return;
    }
    for (int round = 0; round < rounds; ++round) line = fitted_line(overlay, line);
    overlay.tone = fitted_tone(overlay, line, beside_line);
}

/// One step: how the lower image's places should move.
std::optional<Vector> step_of(const Overlay &overlay, double usual_difference) {
    Matrix a{};
    Vector b{};
    const double middle_x = overlay.width / 2.0, middle_y = overlay.height / 2.0;
    const int width = overlay.width;
    for (int y = 1; y + 1 < overlay.height; y += stride)
        for (int x = 1; x + 1 < width; x += stride) {
            const std::size_t at = overlay.at(x, y);
            const auto row = static_cast<std::size_t>(width);
            if ((overlay.covered[at] & overlay.covered[at - 1] & overlay.covered[at + 1] &
                 overlay.covered[at - row] & overlay.covered[at + row]) == 0)
                continue;
            const auto slope = [&](std::size_t before, std::size_t after) {
                return 0.25 * (double{overlay.upper[after]} - overlay.upper[before] +
                               double{overlay.lower[after]} - overlay.lower[before]);
            };
            const double gx = slope(at - 1, at + 1), gy = slope(at - row, at + row);
            const double difference = double{overlay.lower[at]} - overlay.upper[at];
            const double weight = weight_of(difference, usual_difference);
            const double dx = (x - middle_x) / 64, dy = (y - middle_y) / 64;
            const Vector j{gx, gx * dx, gx * dy, gy, gy * dx, gy * dy};
            for (std::size_t i = 0; i < parameters; ++i) {
                b[i] += weight * j[i] * difference;
                for (std::size_t k = 0; k <= i; ++k) a[i][k] += weight * j[i] * j[k];
            }
        }
    for (std::size_t i = 0; i < parameters; ++i) {
        a[i][i] *= 1 + 1e-6;
        for (std::size_t k = i + 1; k < parameters; ++k) a[i][k] = a[k][i];
    }
    return solved(a, b);
}

/// The move of a step as a map of the lower image's places.
AffineMap as_map(const Vector &step, int width, int height) {
    const double middle_x = width / 2.0, middle_y = height / 2.0;
    AffineMap map{1 + step[1] / 64, step[2] / 64, 0, step[4] / 64, 1 + step[5] / 64, 0};
    map.tx = step[0] - (step[1] * middle_x + step[2] * middle_y) / 64;
    map.ty = step[3] - (step[4] * middle_x + step[5] * middle_y) / 64;
    return map;
}

/// How far a corner moves between two maps, at most.
double farthest_move(const AffineMap &one, const AffineMap &other, int width, int height) {
    double most = 0;
    for (const int x : {0, width - 1})
        for (const int y : {0, height - 1}) {
            const double dx =
                (one.a11 - other.a11) * x + (one.a12 - other.a12) * y + one.tx - other.tx;
            const double dy =
                (one.a21 - other.a21) * x + (one.a22 - other.a22) * y + one.ty - other.ty;
            most = std::max({most, std::abs(dx), std::abs(dy)});
        }
    return most;
}

} // namespace

void apply_tone(Overlay &overlay) {
    for (std::size_t i = 0; i < overlay.covered.size(); ++i)
        if (overlay.covered[i] != 0)
            overlay.upper[i] = static_cast<float>(overlay.tone.at(overlay.upper[i]));
}

Overlay lay_over(const Image &lower, const Image &upper, const AffineMap &map, ToneFit fit,
                 double usual_difference) {
    Overlay overlay{.width = lower.width,
                    .height = lower.height,
                    .map = map,
                    .tone = ToneCurve::identity(),
                    .lower = {lower.pixels.begin(), lower.pixels.end()},
                    .upper = std::vector<float>(lower.pixels.size()),
                    .plain = std::vector<float>(lower.pixels.size()),
                    .covered = std::vector<std::uint8_t>(lower.pixels.size())};
    if (upper.width < 2 || upper.height < 2) return overlay;
    ToneCurve line;
    for (int step = 0;; ++step) {
        warp(upper, overlay);
        if (step == 0) line = overlay.tone = fitted_line(overlay);
        fit_tone(overlay, fit, line);
        overlay.plain = overlay.upper;
        apply_tone(overlay);
        if (step == most_steps) return overlay;
        const auto moved = step_of(overlay, usual_difference);
        if (!moved) return overlay;
        const AffineMap next = composed(overlay.map, as_map(*moved, overlay.width, overlay.height));
        const double distance = farthest_move(next, overlay.map, overlay.width, overlay.height);
        if (!(farthest_move(next, map, overlay.width, overlay.height) <= farthest)) return overlay;
        if (is_large(overlay.width, overlay.height) && distance < small_move) return overlay;
        overlay.map = next;
        if (distance < last_move && step + 1 < most_steps) step = most_steps - 1;
    }
}

} // namespace bowhist

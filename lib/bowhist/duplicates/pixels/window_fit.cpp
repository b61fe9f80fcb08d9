#include <bowhist/duplicates/pixels/window_fit.hpp>

#include <bowhist/duplicates/pixels/symmetric_system.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr double ink = 20;         ///< deviation of a window's levels
constexpr double noise = 12;       ///< levels
constexpr double stiffness = 0.05; ///< of the noise, against fitting noise
constexpr double pixels = WindowFit::side * WindowFit::side;

} // namespace

/// Sums over a window of one image and what fits it.
struct WindowFit::Sums {
    double target = 0, target_square = 0;
    Terms means{}, with_target{};
    std::array<Terms, terms> products{};

    void add(double level, const Terms &fitted) {
        target += level;
        target_square += level * level;
        for (std::size_t i = 0; i < terms; ++i) {
            means[i] += fitted[i];
            with_target[i] += fitted[i] * level;
            for (std::size_t j = 0; j <= i; ++j) products[i][j] += fitted[i] * fitted[j];
        }
    }

    /// The share of the variance that the fit leaves.
    double left(double variance) const {
        std::array<Terms, terms> a{};
        Terms b{};
        for (std::size_t i = 0; i < terms; ++i) {
            b[i] = with_target[i] - means[i] * target / pixels;
            for (std::size_t j = 0; j <= i; ++j)
                a[i][j] = a[j][i] = products[i][j] - means[i] * means[j] / pixels;
        }
        std::array<Terms, terms> stiff = a;
        for (std::size_t i = 0; i < terms; ++i) stiff[i][i] += pixels * noise * noise * stiffness;
        const Terms x = solved(stiff, b).value_or(Terms{}); // stiff: not singular
        double rest = target_square - target * target / pixels;
        for (std::size_t i = 0; i < terms; ++i) {
            rest -= 2 * x[i] * b[i];
            for (std::size_t j = 0; j < terms; ++j) rest += x[i] * a[i][j] * x[j];
        }
        return std::max(rest, 0.0) / (variance + pixels * noise * noise);
    }
};

double WindowFit::level(const std::vector<float> &levels, int x, int y) const {
    return levels[overlay_.at(std::clamp(x, 0, overlay_.width - 1),
                              std::clamp(y, 0, overlay_.height - 1))];
}

WindowFit::Terms WindowFit::terms_at(const std::vector<float> &levels, int x, int y) const {
    const double middle = level(levels, x, y);
    const double left = level(levels, x - 1, y), right = level(levels, x + 1, y);
    const double above = level(levels, x, y - 1), below = level(levels, x, y + 1);
    return {middle, (right - left) / 2, (below - above) / 2,
            left + right + above + below - 4 * middle};
}

double WindowFit::left(int x, int y, double little) const {
    double sum_lower = 0, sum_upper = 0, square_lower = 0, square_upper = 0, square_between = 0;
    for (int v = y; v < y + side; ++v)
        for (int u = x; u < x + side; ++u) {
            const std::size_t at = overlay_.at(u, v);
            if (overlay_.covered[at] == 0) return -1;
            const double a = overlay_.lower[at], b = overlay_.upper[at];
            sum_lower += a;
            sum_upper += b;
            square_lower += a * a;
            square_upper += b * b;
            square_between += (a - b) * (a - b);
        }
    const double variance = std::max(square_lower - sum_lower * sum_lower / pixels,
                                     square_upper - sum_upper * sum_upper / pixels);
    if (variance <= pixels * ink * ink) return -1;
    // the levels as they are fit no better than the best fit, beside its stiffness
    const double sum_between = sum_lower - sum_upper;
    const double between = square_between - sum_between * sum_between / pixels;
    const double most =
        (between + pixels * noise * noise * stiffness) / (variance + pixels * noise * noise);
    if (most < little) return most;
    Sums by_upper, by_lower;
    for (int v = y; v < y + side; ++v)
        for (int u = x; u < x + side; ++u) {
            const std::size_t at = overlay_.at(u, v);
            by_upper.add(overlay_.lower[at], terms_at(overlay_.upper, u, v));
            by_lower.add(overlay_.upper[at], terms_at(overlay_.lower, u, v));
        }
    return std::max(by_upper.left(variance), by_lower.left(variance));
}

} // namespace bowhist

#include <bowhist/assign/bound.hpp>

#include <bowhist/core/nearest.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bowhist {
namespace {

/// gamma_n for roundings of one part in `unit`.
double gamma(double roundings, double unit) {
    return roundings * unit / (1 - roundings * unit);
}

} // namespace

Bound float32_bound(std::size_t dimensions, double scale) {
    const double unit = std::ldexp(1.0, -24);
    // Subtraction 1 (counted twice, since it is squared), square 1, sums D - 1: D + 2 roundings;
    // one more pays for the rule's own float64 roundings, one for evaluating the test.
    const double roundings = static_cast<double>(dimensions) + 4;
    if (roundings * unit >= 0.25) return {std::numeric_limits<float>::infinity(), 0};
    // Each square and each sum may lose up to 2^-126 to underflow, on both candidates.
    const double underflow = 4.0 * static_cast<double>(dimensions) * std::ldexp(1.0, -126);
    const double pay_for_this_test = 1 + 1e-6;
    return {static_cast<float>(scale * gamma(roundings, unit) * pay_for_this_test),
            static_cast<float>(scale * underflow * pay_for_this_test)};
}

double largest_squared_norm(const Vocabulary &vocabulary) {
    double largest = 0;
    for (std::size_t j = 0; j < vocabulary.size(); ++j)
        largest = std::max(largest, squared_norm(vocabulary.row(j)));
    return largest;
}

DotBound dot_bound(const Vocabulary &vocabulary, double scale) {
    return dot_bound(vocabulary.dimensions, largest_squared_norm(vocabulary), scale);
}

DotBound dot_bound(std::size_t dims, double summed_square, double scale) {
    const auto dimensions = static_cast<double>(dims);
    const double unit = std::ldexp(1.0, -24);
    // A product 1, its sums D; for ||c||^2 / 2 its conversion 1; one pays for its float64 sum.
    const double roundings = dimensions + 2;
    if ((roundings + 1) * unit >= 0.25) return {};
    const double largest_square = summed_square * (1 + 1e-6);
    const double half_square = largest_square / 2;
    const double length = std::sqrt(largest_square);

    // The norm N of x as computed: ||x|| <= (N + lost) * stretch.
    const double lost = std::sqrt(2 * dimensions + 1) * std::ldexp(1.0, -63);
    const double stretch = (1 + 16 * unit) / std::sqrt(1 - gamma(roundings, unit));
    const double largest_norm = (std::ldexp(1.0, 126) - half_square) / (2 * length) - lost;
    if (!(largest_norm > 0)) return {};

    // Margin in powers of ||x||: twice the error of a score, and the rule's own roundings.
    const double screen = 2 * gamma(roundings, unit);
    const double rule = gamma(dimensions + 2, std::ldexp(1.0, -53));
    const double underflow = std::ldexp(1.0, -124);
    const double root = std::sqrt(dimensions);
    const double constant = screen * half_square + rule * largest_square +
                            underflow * (4 * dimensions + 8 + root * length);
    const double linear = screen * length + 2 * rule * length + underflow * root;

    // The same in powers of N, enlarged for the test's own roundings in float32.
    const double pay = scale * (1 + 2e-6);
    const double linear_in_norm = stretch * (linear + 2 * rule * stretch * lost);
    return {static_cast<float>(pay * (constant + linear * stretch * lost +
                                      rule * stretch * stretch * lost * lost)),
            static_cast<float>(pay * linear_in_norm),
            static_cast<float>(pay * rule * stretch * stretch),
            static_cast<float>(std::min(largest_norm, std::ldexp(1.0, 63)))};
}

float score_start(std::span<const float> c) {
    return static_cast<float>(-squared_norm(c) / 2);
}

} // namespace bowhist

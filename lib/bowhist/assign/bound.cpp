#include <bowhist/assign/bound.hpp>

#include <cmath>
#include <limits>

namespace bowhist {

Bound float32_bound(std::size_t dimensions, double scale) {
    const double unit = std::ldexp(1.0, -24);
    // Subtraction 1 (counted twice, since it is squared), square 1, sums D - 1: D + 2 roundings;
    // one more pays for the rule's own float64 roundings, one for evaluating the test.
    const double roundings = static_cast<double>(dimensions) + 4;
    if (roundings * unit >= 0.25) return {std::numeric_limits<float>::infinity(), 0};
    const double gamma = roundings * unit / (1 - roundings * unit);
    // Each square and each sum may lose up to 2^-126 to underflow, on both candidates.
    const double underflow = 4.0 * static_cast<double>(dimensions) * std::ldexp(1.0, -126);
    const double pay_for_this_test = 1 + 1e-6;
    return {static_cast<float>(scale * gamma * pay_for_this_test),
            static_cast<float>(scale * underflow * pay_for_this_test)};
}

} // namespace bowhist

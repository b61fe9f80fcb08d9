#include <bowhist/core/logarithm.hpp>

#include <cmath>

namespace bowhist {

double logarithm_of_2(double x) {
    constexpr double largest = 0x1p64;
    constexpr double least = 0x1p-64;
    x = x < largest ? (x > least ? x : least) : largest;
    int exponent = 0;
    double part = std::frexp(x, &exponent); // in [1/2, 1)
    constexpr double root_of_half = 0.70710678118654752440;
    if (part < root_of_half) {
        part = 2 * part;
        exponent -= 1;
    }
    // ln(m) = 2 artanh(s), s = (m - 1)/(m + 1): |s| <= 0.172, so that s^17/17 is below 10^-13
    const double s = (part - 1) / (part + 1);
    const double square = s * s;
    double series = 0;
    for (int odd = 15; odd >= 1; odd -= 2) series = series * square + 1.0 / odd;
    constexpr double two_over_ln_2 = 2.8853900817779268147;
    return exponent + two_over_ln_2 * (s * series);
}

} // namespace bowhist

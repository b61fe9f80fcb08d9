#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bowhist {

/// Numbers as 64-bit integers of a common scale, so that their sum does not depend on its order.
///
/// The scale is the largest power of two for which `count` numbers up to `largest` sum up to less
/// than 2^62. Of zeros alone the sum is zero.
class FixedPoint {
  public:
    FixedPoint(double largest, std::size_t count) {
        int number_exponent = 0;
        int count_exponent = 0;
        std::frexp(largest, &number_exponent);
        std::frexp(static_cast<double>(count), &count_exponent);
        // A float64 holds no larger power of two than 2^1023; squares of floats need none of it.
        scale_ = std::ldexp(1.0, std::min(1000, 62 - number_exponent - count_exponent));
    }

    std::int64_t from(double number) const { return std::llrint(number * scale_); }
    double to(std::int64_t sum) const { return static_cast<double>(sum) / scale_; }

  private:
    double scale_ = 1;
};

} // namespace bowhist

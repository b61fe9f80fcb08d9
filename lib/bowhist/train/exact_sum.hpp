#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bowhist {

/// The sum of numbers from zero on, exact, and so the same in any order: a whole number of the
/// smallest float64, as wide as all of them, in digits of 32 bits.
class ExactSum {
  public:
    /// At most 2^30 times between two calls of join().
    void add(double number) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        const std::uint64_t exponent = bits >> 52 & 0x7FF;
        const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
        const std::uint64_t digits = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
        const std::uint64_t place = exponent == 0 ? 0 : exponent - 1; // of the lowest bit
        const std::uint64_t low = (digits & digit) << place % 32;
        const std::uint64_t high = (digits >> 32) << place % 32;
        std::uint64_t *to = digits_.data() + place / 32;
        to[0] += low & digit;
        to[1] += (low >> 32) + (high & digit);
        to[2] += high >> 32;
    }

    void join(const ExactSum &other) {
        std::uint64_t carried = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            carried += (digits_[i] & digit) + (other.digits_[i] & digit);
            const std::uint64_t above = (digits_[i] >> 32) + (other.digits_[i] >> 32);
            digits_[i] = carried & digit;
            carried = (carried >> 32) + above;
        }
    }

    /// Its nearest float64, or one beside that.
    double value() const {
        ExactSum carried;
        carried.join(*this);
        double sum = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i)
            sum += std::ldexp(static_cast<double>(carried.digits_[i]),
                              static_cast<int>(32 * i) - 1074);
        return sum;
    }

  private:
    static constexpr std::uint64_t digit = 0xFFFFFFFF;
    std::array<std::uint64_t, 68> digits_{}; ///< the lowest first; above 32 bits they carry
};

} // namespace bowhist

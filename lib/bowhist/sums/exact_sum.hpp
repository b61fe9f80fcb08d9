#pragma once

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/team/team.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bowhist {

/// The exact sum of numbers that are not negative, the same in any order: a multiple of the
/// smallest float64, as wide as float64's range, in digits of 32 bits.
class ExactSum {
  public:
    /// Call at most 2^30 times between two calls of join().
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

    /// Adds the sums of the other members.
    void join(Team &team) {
        *this = carried();
        team.sum(digits_);
    }

    /// The nearest float64, or one beside it.
    double value() const {
        const ExactSum carried = this->carried();
        double sum = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i)
            sum += std::ldexp(static_cast<double>(carried.digits_[i]),
                              static_cast<int>(32 * i) - 1074);
        return sum;
    }

  private:
    /// The same sum, in digits below 2^32.
    ExactSum carried() const {
        ExactSum sum;
        sum.join(*this);
        return sum;
    }

    static constexpr std::uint64_t digit = 0xFFFFFFFF;
    std::array<std::uint64_t, 68> digits_{}; ///< the lowest first; what exceeds 32 bits is carried
};

/// One value of all of this process's descriptors, by all threads: a sum, a maximum, the farthest
/// ones. Members of a team join theirs afterwards.
///
/// Value::join(const Value &) adds the value of other descriptors. Its result must not depend on
/// the order: then it does not depend on parts, threads, devices or machines, either.
///
/// @param nothing  the value of no descriptors
/// @param add  (Value &, number of a row, its floats): adds a descriptor
template <typename Value, typename Add>
Value reduce(const DescriptorRows &rows, const Value &nothing, const Add &add) {
    Value all = nothing;
    const std::size_t dimensions = rows.dimensions();
    rows.read([&](std::size_t first, std::span<const float> values) {
        all.join(tbb::parallel_reduce(
            tbb::blocked_range<std::size_t>(0, values.size() / dimensions, 1024), nothing,
            [&](const auto &range, Value value) {
                const DefaultFloats floats; // of this thread
                for (std::size_t row = range.begin(); row < range.end(); ++row)
                    add(value, first + row, values.subspan(row * dimensions, dimensions));
                return value;
            },
            [](Value a, const Value &b) {
                a.join(b);
                return a;
            }));
    });
    return all;
}

} // namespace bowhist

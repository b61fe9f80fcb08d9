#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cmath>
#include <vector>

namespace bowhist::testing {

/// Two centroids against a descriptor at the origin. The first coordinate contributes `base`, then
/// one coordinate in every `step` contributes a square just under (a) or over (b) half a unit in
/// the last place of 1: summed in order, float32 drops every one of a's and rounds up each of b's.
/// The others stay zero, so that a sum by fours meets the same fate. By the rule b is nearer.
inline Vocabulary rounding_trap(double base_of_a, std::size_t step) {
    constexpr std::size_t dimensions = 64;
    const double half_unit = std::ldexp(1.0, -24);
    Vocabulary vocabulary{dimensions, std::vector<float>(2 * dimensions, 0.0F)};
    vocabulary.values[0] = static_cast<float>(std::sqrt(1 + 2 * half_unit * base_of_a));
    vocabulary.values[dimensions] = 1;
    for (std::size_t i = step; i < dimensions; i += step) {
        vocabulary.values[i] = static_cast<float>(std::sqrt(0.98 * half_unit));
        vocabulary.values[dimensions + i] = static_cast<float>(std::sqrt(1.02 * half_unit));
    }
    return vocabulary;
}

/// The same for levels that sum x·c − ‖c‖²/2: one large product takes the sum to 2, the others are
/// just under (a) or over (b) half a unit in the last place of that. By the rule a is nearer. Only
/// one coordinate in every `step` has such a product, for levels with as many sums.
inline Vocabulary product_trap(double base_of_a, std::size_t step = 1) {
    constexpr std::size_t dimensions = 64;
    const double half_unit = std::ldexp(1.0, -23);
    Vocabulary vocabulary{dimensions, std::vector<float>(2 * dimensions)};
    for (std::size_t i = step; i < dimensions; i += step) {
        vocabulary.values[i] = static_cast<float>(0.98 * half_unit);
        vocabulary.values[dimensions + i] = static_cast<float>(1.02 * half_unit);
    }
    vocabulary.values[0] = static_cast<float>(1 + 2 * half_unit * base_of_a / 1.5);
    vocabulary.values[dimensions] = 1;
    return vocabulary;
}

/// The same for levels that round centroids to fp16: a's coordinates lie just over, b's just under
/// the middle of two neighbors of that. For a row of halves b is nearer.
inline Vocabulary half_trap() {
    constexpr std::size_t dimensions = 64;
    const float unit = std::ldexp(1.0F, -11); // in the last place below 1
    Vocabulary vocabulary{dimensions, std::vector<float>(dimensions, 1 - 0.45F * unit)};
    vocabulary.values.resize(2 * dimensions, 1 - 0.55F * unit);
    return vocabulary;
}

/// A row, and two words that lie in wait for it.
struct Trap {
    Descriptors row;
    Vocabulary vocabulary;
};

inline std::vector<Trap> traps() {
    constexpr std::size_t dimensions = 64;
    Descriptors origin{dimensions, std::vector<float>(dimensions, 0.0F)};
    Descriptors ones{dimensions, std::vector<float>(dimensions, 1.0F)};
    ones.values[0] = 2.5F;
    const Descriptors halves{dimensions, std::vector<float>(dimensions, 0.5F)};
    std::vector<Trap> all = {{halves, half_trap()}};
    for (int base = 1; base <= 8; ++base) {
        for (const std::size_t step : {1, 4}) all.push_back({origin, rounding_trap(base, step)});
        all.push_back({ones, product_trap(base)});
    }
    return all;
}

} // namespace bowhist::testing

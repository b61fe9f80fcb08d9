#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <span>

namespace bowhist {

/// The rule (docs/words.md), to the letter: the sum over i = 0 … D-1, in that order, of
/// ((double)x[i] - (double)c[i])^2, each operation rounded to float64 on its own, to nearest,
/// whatever floating-point state the caller's thread is in.
double squared_distance(std::span<const float> x, std::span<const float> c);

/// The word of x: the centroid with the smallest squared_distance; of equal ones, the lowest; 0
/// where x has NaN or infinity.
std::int32_t nearest(std::span<const float> x, const Vocabulary &vocabulary);

/// The same among some words, in ascending order: right where they contain the word of x.
std::int32_t nearest_of(std::span<const float> x, const Vocabulary &vocabulary,
                        std::span<const std::int32_t> words);

} // namespace bowhist

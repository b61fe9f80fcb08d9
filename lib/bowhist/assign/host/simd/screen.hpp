#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bowhist {

/// A fast search of the nearest word that keeps only what it can prove by its bound
/// (docs/words.md). Thread-safe once made.
/// @param rows  each points to D finite floats
/// @param words as many: the word of each row, or unproven_word
using Screen =
    std::function<void(std::span<const float *const> rows, std::span<std::int32_t> words)>;

constexpr std::int32_t unproven_word = -1;

/// A screen that can also say which words are left.
struct FloatScreen {
    Screen search;
    /// The words that cannot be excluded for x, in ascending order: all, where nothing is proven.
    std::function<void(const float *x, std::vector<std::int32_t> &words)> candidates;
};

/// Scores in float32 by register-blocked tiles, for this CPU's vector units. Any D, any k from 2.
FloatScreen make_float_screen(const Vocabulary &vocabulary, double bound_scale = 1);

/// Scores in integers of sixteen bits, two products a lane and instruction: twice the speed, and a
/// few rows in a hundred unproven.
/// @return nothing where they do not suit this CPU, or the vocabulary's shape or size
Screen make_integer_screen(const Vocabulary &vocabulary, double bound_scale = 1);

} // namespace bowhist

#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// A fast search of the nearest word that keeps only what it can prove by its bound
/// (docs/words.md). Thread-safe once made.
class Screen {
  public:
    static constexpr std::int32_t unproven = -1;

    virtual ~Screen() = default;

    /// @param rows  each points to D finite floats
    /// @param words as many: the word of each row, or `unproven`
    virtual void search(std::span<const float *const> rows,
                        std::span<std::int32_t> words) const = 0;
};

/// A screen that can also say which words are left.
class FloatScreen : public Screen {
  public:
    /// The words that cannot be excluded for x, in ascending order: all, where nothing is proven.
    virtual void candidates(const float *x, std::vector<std::int32_t> &words) const = 0;
};

/// Scores in float32 by register-blocked tiles, for the vector units that this CPU has. Any D, any
/// k from 2.
std::unique_ptr<FloatScreen> make_float_screen(const Vocabulary &vocabulary,
                                               double bound_scale = 1);

/// Scores in integers of sixteen bits, two products a lane and instruction: twice the speed, and a
/// few rows in a hundred unproven.
/// @return nothing where this CPU gains nothing by it or the vocabulary's shape or size does not
///         suit it
std::unique_ptr<Screen> make_integer_screen(const Vocabulary &vocabulary, double bound_scale = 1);

} // namespace bowhist

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bowhist {

/// The sum of the values' squares, each exact, added up in order in float64.
inline double squared_norm(std::span<const float> values) {
    double sum = 0;
    for (const float value : values) sum += double{value} * double{value};
    return sum;
}

/// The number of single letters to insert, drop, change or swap with their neighbor to get from one
/// word to the other (the restricted Damerau-Levenshtein distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name that a mistyped word stands for: the first of the nearest `names`, at most two edits
/// away, and fewer than half of the shorter one's letters. Empty where no name is near.
std::string nearest(std::string_view word, std::span<const std::string> names);

} // namespace bowhist

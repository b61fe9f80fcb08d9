#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bowhist {

/// How many single letters to insert, drop, change or swap with their neighbour to get from one
/// word to the other (the restricted Damerau-Levenshtein distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// What a mistyped word was meant to be: the first of the nearest `names`, at most two edits away,
/// and fewer than half of the shorter one's letters. Empty when there is none.
std::string nearest(std::string_view word, std::span<const std::string> names);

} // namespace bowhist

#pragma once

#include <bowhist/show/show_words.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {

/// Whether a word is in more than half of the images.
inline bool is_everywhere(const WordUse &use, std::uint64_t images) {
    return images > 1 && 2 * use.images > images;
}

/// Tiles that say at a glance whether a vocabulary is any good, as HTML.
std::string tiles_of(const ShownVocabulary &shown);

/// A drawing of how many words occur how often: never, once, 2 to 4 times, 5 to 9 …
std::string histogram_of(const std::vector<WordUse> &uses);

} // namespace bowhist

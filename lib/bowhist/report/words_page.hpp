#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/report/page.hpp>
#include <bowhist/show/show_words.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// The content of a page of words, and where it goes.
struct WordsPage {
    std::string vocabulary; ///< its path: the title
    PageHead head = {};     ///< its title and filter are set here, styles added
    /// A patch of an image, a JPEG. @param name, file  of the image (ShownVocabulary)
    std::function<PageImage(const std::string &name, const std::string &file, std::string_view)>
        show = {};
    std::function<void(std::string_view)> write = {}; ///< gets the page, in parts
};

/// The patches of a vocabulary's words, of those that a page shows.
struct WordPatches {
    std::vector<std::size_t> words = {}; ///< the most frequent first, of equal ones the lowest
    struct OfWord {
        std::vector<std::string> nearest = {}; ///< JPEGs; empty without any
        std::vector<std::string> border = {};
    };
    std::vector<OfWord> patches = {}; ///< of each of these words

    bool any() const;
    std::size_t bytes() const;
};

/// Cuts them, from one decoding of each file. Files that cannot be read are reported.
/// @param most_words  drawn evenly from the most frequent to the rarest; 0: all
/// @param side        pixels of a patch
WordPatches cut_word_patches(const ShownVocabulary &shown, std::size_t most_words, int side,
                             const ImageLimits &limits, Observer &observer);

/// Writes a page of a vocabulary's words: for each how often it occurs, in how many images, its
/// idf, the patches nearest to it and those at its border; marked are words that are never used,
/// and those of more than half of the images. Scripts sort them by each number; without scripts the
/// most frequent come first.
void write_words_page(const ShownVocabulary &shown, const WordPatches &patches,
                      const WordsPage &page, Observer &observer);

} // namespace bowhist

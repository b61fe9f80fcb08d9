#pragma once

#include <bowhist/core/integer_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Which words of a vocabulary images show: a bit for each word, row after row, in the order of
/// numpy.packbits: word 0 is the highest bit of a row's first byte.
struct ShownWords {
    std::size_t words = 0; ///< 0: of rows that have no words
    std::vector<std::uint8_t> bits = {};

    std::size_t row_bytes() const { return (words + 7) / 8; }
    std::size_t size() const { return words == 0 ? 0 : bits.size() / row_bytes(); }
    std::span<const std::uint8_t> row(std::size_t i) const {
        return std::span(bits).subspan(i * row_bytes(), row_bytes());
    }
    void add(std::span<const std::uint8_t> row) { bits.insert(bits.end(), row.begin(), row.end()); }
};

/// The bits of an image. It shows the words that have more than an even share of it: more than the
/// sum of all words' counts divided by their number.
std::vector<std::uint8_t> shown_words(std::span<const std::uint32_t> counts);

/// The same of histograms, by their features. Runs on all threads.
/// @param rows  values from 0 on, a column for each word
ShownWords words_shown_by(const IntegerRows &rows);

} // namespace bowhist

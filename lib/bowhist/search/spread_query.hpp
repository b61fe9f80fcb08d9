#pragma once

#include <bowhist/search/word_index.hpp>
#include <bowhist/search/word_measure.hpp>
#include <bowhist/search/word_query.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// A query's factors at all words, most of them 0: what an image's words add beyond bitmaps is
/// looked up word by word, without a branch. Takes one query after another. One thread's.
class SpreadQuery {
  public:
    /// @param words  of the index
    SpreadQuery(const WordMeasure &measure, std::size_t words);

    /// In the place of the one before.
    void set(const WordQuery &query);
    /// What an image's words add beyond bitmaps. REQUIRES that it is in no listed window.
    std::uint64_t product_of_excess(const WordIndex &index, std::size_t image) const;

  private:
    struct Factor {
        std::uint32_t factor = 0;
        std::uint32_t levels = 0;
    };
    static constexpr std::size_t excesses = ExcessRows::most_excess + 1;

    std::vector<Factor> factors_;      ///< of each word
    std::vector<std::uint32_t> words_; ///< whose factors are set
    std::vector<std::uint32_t> above_; ///< [levels][excess]: by how much the value rises
};

} // namespace bowhist

#pragma once

#include <bowhist/search/adding_order.hpp>
#include <bowhist/search/word_index.hpp>
#include <bowhist/search/word_measure.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// An image's words as work on an index: which bitmaps are added up with which weights, and which
/// lists are looked through.
class WordQuery {
  public:
    /// A list to look through.
    struct List {
        std::uint32_t word = 0;
        std::uint32_t levels = 0;                 ///< bitmaps of the word
        std::uint32_t factor = 0;                 ///< of values that are added
        std::array<std::uint32_t, 16> gains = {}; ///< what an entry adds, by its excess
    };

    /// @param measure  outlives the query
    /// @param rows  of the index
    WordQuery(const WordMeasure &measure, const WordRows &rows, std::span<const WordCount> image);

    std::uint32_t squared_norm() const { return squared_norm_; }
    /// Rising.
    std::span<const WeightedBitmap> bitmaps() const { return bitmaps_; }
    /// How the host adds them up.
    const AddingOrder &order() const { return order_; }
    /// By rising word.
    std::span<const List> lists() const { return lists_; }
    /// What an image's words add beyond bitmaps. REQUIRES that it is in no listed window.
    std::uint64_t product_of_excess(const WordIndex &index, std::size_t image) const;
    /// What an entry of a list adds.
    std::uint32_t gain(const List &list, std::uint32_t excess) const {
        return list.factor * (measure_->value(list.levels + excess) - measure_->value(list.levels));
    }

  private:
    struct Factor {
        std::uint32_t factor, levels;
    };

    void add_word(const WordMeasure &measure, const WordRows &rows, const WordCount &of_query);
    /// The place of a word that the query has, among its words.
    std::size_t rank(std::uint32_t word) const {
        const std::uint64_t in_front = has_[word / 64] & ((std::uint64_t{1} << word % 64) - 1);
        return ranks_[word / 64] + static_cast<unsigned>(std::popcount(in_front));
    }

    const WordMeasure *measure_;
    std::uint32_t squared_norm_;
    std::vector<WeightedBitmap> bitmaps_;
    AddingOrder order_;
    std::vector<List> lists_;
    std::vector<Factor> factors_;      ///< of its words: few, so they stay in a core's caches
    std::vector<std::uint64_t> has_;   ///< a bit of each word: whether the query has it
    std::vector<std::uint32_t> ranks_; ///< how many it has in front of each 64 words
};

} // namespace bowhist

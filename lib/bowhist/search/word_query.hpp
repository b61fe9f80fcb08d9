#pragma once

#include <bowhist/search/adding_order.hpp>
#include <bowhist/search/word_index.hpp>
#include <bowhist/search/word_measure.hpp>

#include <array>
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
        std::uint32_t levels = 0; ///< bitmaps of the word
        std::uint32_t factor = 0; ///< of values that are added
    };
    using Gains = std::array<std::uint32_t, ExcessLists::largest_short + 1>;

    /// @param measure  outlives the query
    /// @param rows  of the index
    WordQuery(const WordMeasure &measure, const WordRows &rows, std::span<const WordCount> image);

    std::uint32_t squared_norm() const { return squared_norm_; }
    /// Rising.
    std::span<const WeightedBitmap> bitmaps() const { return bitmaps_; }
    /// How the host adds them up.
    const AddingOrder &order() const { return order_; }
    /// The lists, by rising word.
    std::span<const List> lists() const { return lists_; }
    /// The gains of a list's short entries, by their excess. @param list  its number
    const Gains &gains(std::size_t list) const { return gains_[list]; }
    /// The gain of an entry of a list.
    std::uint32_t gain(const List &list, std::uint32_t excess) const {
        return list.factor * (measure_->value(list.levels + excess) - measure_->value(list.levels));
    }

  private:
    void add_word(const WordMeasure &measure, const WordRows &rows, const WordCount &of_query);

    const WordMeasure *measure_;
    std::uint32_t squared_norm_;
    std::vector<WeightedBitmap> bitmaps_;
    AddingOrder order_;
    std::vector<List> lists_;
    std::vector<Gains> gains_; ///< of each list
};

} // namespace bowhist

#pragma once

#include <bowhist/compare/word_index.hpp>
#include <bowhist/compare/word_measure.hpp>
#include <bowhist/compare/word_query.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// A query in the form that adds up what images' words add beyond bitmaps. Takes one query after
/// another. One thread's.
///
/// A vocabulary whose factors fit a core's caches has them in a table, most of them 0: they are
/// looked up word by word, without a branch. A larger one has a bit that says of most words that
/// the query lacks them; the others are looked for in chains of the query's words.
class SpreadQuery {
  public:
    static constexpr std::size_t most_in_table = std::size_t{1} << 15; ///< words of a vocabulary

    /// @param measure  outlives the object
    /// @param words    of the index
    SpreadQuery(const WordMeasure &measure, std::size_t words) : measure_(&measure), k_(words) {}

    /// In the place of the one before.
    /// @param query  made for the rows of the index; outlives its use here
    void set(const WordQuery &query);
    /// REQUIRES that a query is set, and that the image is in no listed window.
    std::uint64_t product_of_excess(const WordIndex &index, std::size_t image) const;

  private:
    static constexpr std::uint32_t no_list = 0xFFFFFFFF;
    struct Factor {
        std::uint32_t factor = 0;
        std::uint32_t levels = 0;
    };

    bool has_table() const { return k_ <= most_in_table; }
    bool may_have(std::uint32_t place) const {
        return (may_have_[place / 64] >> place % 64 & 1U) != 0;
    }
    void make_room();
    void set_chains();
    std::uint32_t above(std::uint32_t levels, std::uint32_t excess) const {
        return above_[levels * (ExcessRows::most_excess + 1) + excess];
    }
    std::uint64_t by_table(const WordIndex &index, std::size_t image) const;
    std::uint64_t by_chains(const WordIndex &index, std::size_t image) const;

    const WordMeasure *measure_;
    std::size_t k_;
    std::span<const WordQuery::List> lists_; ///< of the query
    std::vector<std::uint32_t> above_;       ///< [levels][excess]: by how much the value rises
    std::vector<Factor> table_;              ///< of each word
    std::vector<std::uint32_t> in_table_;    ///< words whose factors are set
    std::vector<std::uint64_t> may_have_;    ///< a bit of each word, modulo most_in_table
    std::vector<std::uint32_t> first_;       ///< of each bit that is set: a list
    std::vector<std::uint32_t> next_;        ///< of each list: one with the same bit
};

} // namespace bowhist

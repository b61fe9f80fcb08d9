#pragma once

#include <bowhist/search/word_index.hpp>
#include <bowhist/search/word_measure.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// An image's words as work on an index: which bitmaps are added up with which powers of two, and
/// which lists are looked through. Bitmaps are added plane by plane, eight at a time by full
/// adders: three planes of sums stay in registers, what goes beyond them is carried to a later
/// plane (Harley and Seal's counter, of weighted bits).
class WordQuery {
  public:
    static constexpr std::size_t at_once = 8;

    /// Bitmaps of weight 2^plane. Both counts are multiples of at_once; rows of zeros fill up.
    struct Plane {
        std::vector<std::uint32_t> offsets = {}; ///< of rows, from the block's start, in 64 bits
        std::uint32_t carried = 0;               ///< bitmaps that earlier planes hand over
        std::uint32_t first_carried = 0; ///< where they lie in the scratch memory, in bitmaps
    };

    /// A list to look through.
    struct List {
        std::uint32_t word = 0;
        std::uint32_t levels = 0;                 ///< bitmaps of the word
        std::uint32_t factor = 0;                 ///< of values that are added
        std::array<std::uint32_t, 16> gains = {}; ///< what an entry adds, by its excess
    };

    /// @param measure  outlives the query
    /// @param rows  of the index, with its zero row behind the last one
    WordQuery(const WordMeasure &measure, const WordRows &rows, std::span<const WordCount> image);

    std::uint32_t squared_norm() const { return squared_norm_; }
    /// The planes from first_plane() on. Sums have as many bits as fit a product with the longest
    /// image.
    std::span<const Plane> planes() const { return planes_; }
    std::uint32_t first_plane() const { return first_plane_; }
    /// Where the bitmaps that are added lie, each once, rising.
    std::span<const std::uint32_t> offsets() const { return offsets_; }
    /// By rising word.
    std::span<const List> lists() const { return lists_; }
    /// What an image's words add beyond bitmaps. REQUIRES that it is in no listed window.
    std::uint64_t product_of_excess(const WordIndex &index, std::size_t image) const;
    /// What an entry of a list adds.
    std::uint32_t gain(const List &list, std::uint32_t excess) const {
        return list.factor * (measure_->value(list.levels + excess) - measure_->value(list.levels));
    }
    /// What a bitmap of a level of the word, from 1 on, adds.
    std::uint32_t gain_of_level(const List &list, std::uint32_t level) const {
        return list.factor * (measure_->value(level) - measure_->value(level - 1));
    }
    /// Bitmaps that carry from plane to plane.
    std::size_t scratch_bitmaps() const { return scratch_; }

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
    void lay_out(std::uint32_t zero_row);

    const WordMeasure *measure_;
    std::uint32_t squared_norm_;
    std::uint32_t first_plane_ = 0;
    std::uint64_t most_ = 0; ///< that bitmaps can add up to
    std::vector<Plane> planes_ = std::vector<Plane>(32);
    std::vector<std::uint32_t> offsets_;
    std::vector<List> lists_;
    std::vector<Factor> factors_;      ///< of its words: few, so they stay in a core's caches
    std::vector<std::uint64_t> has_;   ///< a bit of each word: whether the query has it
    std::vector<std::uint32_t> ranks_; ///< how many it has in front of each 64 words
    std::size_t scratch_ = 0;
};

} // namespace bowhist

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// What images' counts exceed the bitmaps of an index by: of each image its words with an excess,
/// rising.
class ExcessRows {
  public:
    static constexpr std::uint32_t most_excess = 255; ///< as counts above this one count as this

    /// A word of the last image, behind those that it has. @param excess  up to most_excess
    void add(std::uint32_t word, std::uint32_t excess);
    /// The last image has all its words; the next follows.
    void close_image();

    std::size_t size() const { return starts_.size() - 1; }
    std::size_t bytes() const {
        return starts_.size() * sizeof(starts_[0]) + low_.size() * sizeof(low_[0]) +
               high_.size() * sizeof(high_[0]) + halves_.size() + large_.size() * sizeof(large_[0]);
    }
    /// Visits an image's words: visit(word, excess).
    template <typename Visit>
    void for_each(std::size_t image, Visit visit) const {
        for (std::size_t i = starts_[image]; i < starts_[image + 1]; ++i) visit(word(i), excess(i));
    }
    /// The same, of the words in a set. @param set  a bit of each word
    template <typename Visit>
    void for_each_in(std::span<const std::uint64_t> set, std::size_t image, Visit visit) const {
        if (high_.empty())
            for_each_in(set, image, visit, [this](std::size_t i) { return std::size_t{low_[i]}; });
        else
            for_each_in(set, image, visit, [this](std::size_t i) { return std::size_t{word(i)}; });
    }
    /// Brings what for_each_in() reads from memory.
    void fetch(std::size_t image) const {
        constexpr std::size_t line = 64;
        for (std::size_t i = starts_[image]; i < starts_[image + 1]; i += line / sizeof(low_[0]))
            __builtin_prefetch(low_.data() + i);
        for (std::size_t i = starts_[image]; i < starts_[image + 1]; i += 2 * line)
            __builtin_prefetch(halves_.data() + i / 2);
    }

  private:
    static constexpr std::uint32_t most_half = 15; ///< of four bits: the excess is in large_
    struct Large {
        std::uint32_t at; ///< number of the word
        std::uint32_t excess;
    };

    std::uint32_t word(std::size_t i) const {
        return low_[i] | (high_.empty() ? 0U : std::uint32_t{high_[i]} << 16U);
    }

    std::uint32_t excess(std::size_t i) const {
        const std::uint32_t half = halves_[i / 2] >> (i % 2 * 4) & most_half;
        return half < most_half ? half : large_excess(i);
    }
    std::uint32_t large_excess(std::size_t i) const;

    /// Gathers without branches: few of an image's words are in a query's.
    template <typename Visit, typename WordOf>
    void for_each_in(std::span<const std::uint64_t> set, std::size_t image, Visit visit,
                     WordOf word_of) const {
        constexpr std::size_t room = 256;
        std::uint32_t shared[room];
        const std::size_t end = starts_[image + 1];
        for (std::size_t first = starts_[image]; first < end; first += room) {
            std::size_t count = 0;
            for (std::size_t i = first; i < std::min(end, first + room); ++i) {
                const std::size_t word = word_of(i);
                shared[count] = static_cast<std::uint32_t>(i);
                count += set[word / 64] >> word % 64 & 1U;
            }
            for (const std::uint32_t i : std::span(shared).first(count))
                visit(static_cast<std::uint32_t>(word_of(i)), excess(i));
        }
    }

    std::vector<std::uint32_t> starts_ = {0}; ///< size() + 1: of each image's words
    std::vector<std::uint16_t> low_;          ///< bits of the words
    std::vector<std::uint16_t> high_;         ///< bits of them; empty where all are 0
    std::vector<std::uint8_t> halves_;        ///< two words' excess each, the first one's low
    std::vector<Large> large_;                ///< rising
};

} // namespace bowhist

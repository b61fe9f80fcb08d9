#pragma once

#include <bowhist/core/large_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The excess of images' counts over the bitmaps of an index: each image's words with an excess,
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
               high_.size() * sizeof(high_[0]) + excess_.size();
    }
    /// Visits an image's words: visit(word, excess).
    template <typename Visit>
    void for_each(std::size_t image, Visit visit) const {
        const std::size_t end = starts_[image + 1];
        if (high_.empty())
            for (std::size_t i = starts_[image]; i < end; ++i)
                visit(std::uint32_t{low_[i]}, std::uint32_t{excess_[i]});
        else
            for (std::size_t i = starts_[image]; i < end; ++i)
                visit(low_[i] | std::uint32_t{high_[i]} << 16U, std::uint32_t{excess_[i]});
    }
    /// Brings what for_each() reads from memory.
    void fetch(std::size_t image) const {
        const std::size_t first = starts_[image];
        const std::size_t count = starts_[image + 1] - first;
        prefetch(std::span(low_).subspan(first, count));
        prefetch(std::span(excess_).subspan(first, count));
    }

  private:
    std::vector<std::uint32_t> starts_ = {0}; ///< size() + 1: of each image's words
    std::vector<std::uint16_t> low_;          ///< bits of the words
    std::vector<std::uint16_t> high_;         ///< bits of them; empty where all are 0
    std::vector<std::uint8_t> excess_;
};

/// The excess of the counts of a window's images over the bitmaps, by word: [word], each image an
/// entry of 16 bits, its place in the window times 16 plus its excess. A long entry holds an excess
/// above 15.
struct ExcessLists {
    static constexpr std::uint32_t largest_short = 15;

    struct LongEntry {
        std::uint32_t word = 0;
        std::uint32_t place = 0; ///< in the window
        std::uint32_t excess = 0;
    };

    ExcessLists() = default;
    ExcessLists(const ExcessRows &rows, std::size_t words);

    std::vector<std::uint32_t> starts = {}; ///< k + 1: of each word's entries
    std::vector<std::uint16_t> entries = {};
    std::vector<LongEntry> long_entries = {}; ///< by rising word

    /// The short entries of a word.
    std::span<const std::uint16_t> list(std::uint32_t word) const {
        return std::span(entries).subspan(starts[word], starts[word + 1] - starts[word]);
    }
    /// The same by image. @param images  of the window
    ExcessRows rows(std::size_t images) const;
    std::size_t bytes() const {
        return starts.size() * sizeof(starts[0]) + entries.size() * sizeof(entries[0]) +
               long_entries.size() * sizeof(LongEntry);
    }
    /// Visits a word's images: visit(place, excess). @param long_entry  of the word or a later one
    template <typename Visit>
    void for_each(std::uint32_t word, std::vector<LongEntry>::const_iterator &long_entry,
                  Visit visit) const {
        for (const std::uint16_t entry : list(word)) visit(entry >> 4U, entry & 15U);
        for (; long_entry != long_entries.end() && long_entry->word == word; ++long_entry)
            visit(long_entry->place, long_entry->excess);
    }
};

} // namespace bowhist

#pragma once

#include <bowhist/search/excess_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

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

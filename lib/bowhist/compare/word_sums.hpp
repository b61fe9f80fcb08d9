#pragma once

#include <bowhist/compare/word_query.hpp>
#include <bowhist/core/large_memory.hpp>

#include <algorithm>
#include <cstdint>

namespace bowhist {

/// Adds up the bitmaps of a query in a block: sums[i] becomes the product of the query with image i
/// of the block, less what its counts beyond bitmaps add. Exact; REQUIRES that sums fit the type.
/// @param block    as WordIndex::block
/// @param scratch  query.order().results() bitmaps, aligned to 64 bytes
template <typename Sum>
using AddBitmaps = void (*)(const WordQuery &query, const std::uint64_t *block,
                            std::uint64_t *scratch, Sum *sums);

/// The code for the vector units at hand.
AddBitmaps<std::uint16_t> add_bitmaps_16();
AddBitmaps<std::uint32_t> add_bitmaps_32();

/// Adds what a window's lists say. @param sums  of the window's images
template <typename Sum>
void add_lists(const WordQuery &query, const ExcessLists &of_window, Sum *sums) {
    constexpr std::size_t at_once = 64; // lists are on their way while others are looked through
    std::span<const std::uint16_t> entries[at_once];
    const auto lists = query.lists();
    for (std::size_t first = 0; first < lists.size(); first += at_once) {
        const auto some = lists.subspan(first, std::min(at_once, lists.size() - first));
        for (std::size_t i = 0; i < some.size(); ++i) {
            entries[i] = of_window.list(some[i].word);
            prefetch(entries[i]);
        }
        for (std::size_t i = 0; i < some.size(); ++i) {
            const std::uint32_t *gains = query.gains(first + i).data();
            for (const std::uint16_t entry : entries[i])
                sums[entry >> 4U] += static_cast<Sum>(gains[entry & 15U]);
        }
    }
    auto list = query.lists().begin();
    for (const ExcessLists::LongEntry &entry : of_window.long_entries) {
        while (list != query.lists().end() && list->word < entry.word) ++list;
        if (list == query.lists().end()) break;
        if (list->word == entry.word)
            sums[entry.place] += static_cast<Sum>(query.gain(*list, entry.excess));
    }
}

} // namespace bowhist

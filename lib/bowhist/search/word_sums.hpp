#pragma once

#include <bowhist/search/word_query.hpp>

#include <cstdint>

namespace bowhist {

/// Adds up the bitmaps of a query in a block: sums[i] becomes the product of the query with image i
/// of the block, less what the lists add. Exact; REQUIRES that sums fit the type.
/// @param block    as WordIndex::block
/// @param scratch  query.scratch_bitmaps() bitmaps, aligned to 64 bytes
template <typename Sum>
using AddBitmaps = void (*)(const WordQuery &query, const std::uint64_t *block,
                            std::uint64_t *scratch, Sum *sums);

/// The code for the vector units at hand.
AddBitmaps<std::uint16_t> add_bitmaps_16();
AddBitmaps<std::uint32_t> add_bitmaps_32();

/// Adds what the lists of a window say. @param sums  of the window's images
template <typename Sum>
void add_lists(const WordQuery &query, const WordIndex &index, std::size_t window, Sum *sums) {
    auto more = index.long_entries(window).begin();
    const auto end = index.long_entries(window).end();
    for (const WordQuery::List &list : query.lists()) {
        const std::uint32_t *gains = list.gains.data();
        for (const std::uint16_t entry : index.list(window, list.word))
            sums[entry >> 4] += static_cast<Sum>(gains[entry & 15U]);
        while (more != end && more->word < list.word) ++more;
        for (; more != end && more->word == list.word; ++more)
            sums[more->place] += static_cast<Sum>(query.gain(list, more->excess));
    }
}

} // namespace bowhist

#pragma once

#include <bowhist/search/word_query.hpp>

#include <cstdint>

namespace bowhist {

/// Adds up the bitmaps of a query in a block: sums[i] becomes the product of the query with image i
/// of the block, less what its counts beyond bitmaps add. Exact; REQUIRES that sums fit the type.
/// @param block    as WordIndex::block
/// @param scratch  query.scratch_bitmaps() bitmaps, aligned to 64 bytes
template <typename Sum>
using AddBitmaps = void (*)(const WordQuery &query, const std::uint64_t *block,
                            std::uint64_t *scratch, Sum *sums);

/// The code for the vector units at hand.
AddBitmaps<std::uint16_t> add_bitmaps_16();
AddBitmaps<std::uint32_t> add_bitmaps_32();

} // namespace bowhist

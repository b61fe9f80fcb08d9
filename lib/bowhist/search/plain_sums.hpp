#pragma once

#include <bowhist/search/code_index.hpp>
#include <bowhist/search/word_query.hpp>

#include <cstdint>

namespace bowhist {

/// AddBitmaps (word_sums.hpp), bit by bit: what the vectors' way is compared with.
template <typename Sum>
void add_bitmaps_plainly(const WordQuery &query, const std::uint64_t *block, std::uint64_t *,
                         Sum *sums);

/// MultiplyCodes (code_index.hpp), product by product.
void multiply_codes_plainly(const CodeIndex &index, const std::int32_t *batch, std::size_t first,
                            std::size_t groups, std::int32_t *products);

} // namespace bowhist

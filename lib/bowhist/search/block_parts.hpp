#pragma once

#include <bowhist/search/block_screen.hpp>
#include <bowhist/search/image_search.hpp>
#include <bowhist/search/prepared_queries.hpp>

#include <cstddef>
#include <cstdint>

namespace bowhist {

/// The parts of the scores of a block's images with a query, as it is screened.
template <typename Sum>
struct BlockParts {
    PartOfScore<Sum> words;
    Excess excess;
    PartOfScore<std::int32_t> codes;
};

/// @param first     image of the block
/// @param sums      of its images by words: whole in a listed window, else by bitmaps alone
/// @param products  of their codes. Sums or products that images lack may be null
template <typename Sum>
BlockParts<Sum> parts_of_block(const SearchableImages &images, const PreparedQuery &query,
                               std::size_t first, const Sum *sums, const std::int32_t *products) {
    BlockParts<Sum> parts{{nullptr, nullptr, 0}, {}, {nullptr, nullptr, 0}};
    if (images.words != nullptr)
        parts.words = {sums, images.inverse_word_norms->values.data() + first, query.word_factor};
    if (images.words != nullptr && !images.words->is_listed(first / WordIndex::window_images)) {
        const ExcessBounds &bounds = *images.excess_bounds;
        parts.words.factor = query.bound.ratio;
        parts.excess = {bounds.sums() + first, bounds.roots() + first, query.bound.sum,
                        query.bound.root};
    }
    if (images.codes != nullptr)
        parts.codes = {products, images.inverse_code_norms->values.data() + first,
                       query.code_factor};
    return parts;
}

} // namespace bowhist

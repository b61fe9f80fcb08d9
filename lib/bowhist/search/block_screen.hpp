#pragma once

#include <cstddef>
#include <cstdint>

namespace bowhist {

/// A part of the scores of a block's images, in floats: products · inverse norms · factor.
template <typename Product>
struct PartOfScore {
    const Product *products;
    const float *inverse_norms;
    float factor;
};

/// An upper bound of what exceeds the bitmaps of words: sums · sum_factor + roots · root_factor.
struct Excess {
    const float *sums = nullptr; ///< null: nothing
    const float *roots = nullptr;
    float sum_factor = 0;
    float root_factor = 0;
};

/// Finds images of a block that may reach the limit of a query, or one of their own.
/// @param words, codes       without products: none
/// @param limits_of_images   of each image of the block; may be null
/// @param hits               receives their places in the block, rising; room for all
/// @return how many
std::size_t screen_block(const PartOfScore<std::uint16_t> &words, const Excess &excess,
                         const PartOfScore<std::int32_t> &codes, float limit,
                         const float *limits_of_images, std::uint16_t *hits);
std::size_t screen_block(const PartOfScore<std::uint32_t> &words, const Excess &excess,
                         const PartOfScore<std::int32_t> &codes, float limit,
                         const float *limits_of_images, std::uint16_t *hits);

} // namespace bowhist

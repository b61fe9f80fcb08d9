#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/search/block_screen.hpp>
#include <bowhist/search/word_index.hpp>

#include <algorithm>
#include <limits>

namespace bowhist {
namespace {

template <typename Word>
BOWHIST_FOR_EACH_CPU std::size_t screen(const PartOfScore<Word> &words, const Excess &excess,
                                        const PartOfScore<std::int32_t> &codes, float limit,
                                        const float *limits_of_images, std::uint16_t *hits) {
    alignas(64) float scores[WordIndex::block_images];
    std::fill_n(scores, WordIndex::block_images, 0.0F);
    if (words.products != nullptr)
        for (std::size_t i = 0; i < WordIndex::block_images; ++i)
            scores[i] =
                static_cast<float>(words.products[i]) * words.inverse_norms[i] * words.factor;
    if (excess.sums != nullptr)
        for (std::size_t i = 0; i < WordIndex::block_images; ++i)
            scores[i] += excess.sums[i] * excess.sum_factor + excess.roots[i] * excess.root_factor;
    if (codes.products != nullptr)
        for (std::size_t i = 0; i < WordIndex::block_images; ++i)
            scores[i] +=
                static_cast<float>(codes.products[i]) * codes.inverse_norms[i] * codes.factor;
    if (limits_of_images != nullptr)
        for (std::size_t i = 0; i < WordIndex::block_images; ++i)
            scores[i] = scores[i] >= limits_of_images[i] ? std::numeric_limits<float>::infinity()
                                                         : scores[i];
    constexpr std::size_t step = 64;
    std::size_t count = 0;
    for (std::size_t first = 0; first < WordIndex::block_images; first += step) {
        int any = 0;
        for (std::size_t i = 0; i < step; ++i) any |= scores[first + i] >= limit;
        if (any == 0) continue;
        for (std::size_t i = 0; i < step; ++i) {
            hits[count] = static_cast<std::uint16_t>(first + i);
            count += scores[first + i] >= limit;
        }
    }
    return count;
}

} // namespace

std::size_t screen_block(const PartOfScore<std::uint16_t> &words, const Excess &excess,
                         const PartOfScore<std::int32_t> &codes, float limit,
                         const float *limits_of_images, std::uint16_t *hits) {
    return screen(words, excess, codes, limit, limits_of_images, hits);
}

std::size_t screen_block(const PartOfScore<std::uint32_t> &words, const Excess &excess,
                         const PartOfScore<std::int32_t> &codes, float limit,
                         const float *limits_of_images, std::uint16_t *hits) {
    return screen(words, excess, codes, limit, limits_of_images, hits);
}

} // namespace bowhist

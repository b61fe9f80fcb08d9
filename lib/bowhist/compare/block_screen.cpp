#include <bowhist/compare/block_screen.hpp>

#include <bowhist/compare/word_index.hpp>
#include <bowhist/core/cpu_clones.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace bowhist {
namespace {

/// One pass over images, with the parts of scores that there are. Whether there are is the same for
/// all images: the compiler makes a loop of each case.
template <bool has_words, bool has_excess, bool has_codes, typename Word>
BOWHIST_FOR_EACH_CPU std::size_t screen(const PartOfScore<Word> &words, const Excess &excess,
                                        const PartOfScore<std::int32_t> &codes, float limit,
                                        const float *limits_of_images, std::uint16_t *hits) {
    constexpr std::size_t step = 64;
    std::size_t count = 0;
    for (std::size_t first = 0; first < WordIndex::block_images; first += step) {
        alignas(64) std::uint8_t reaches[step];
        float needed[step];
        for (std::size_t i = 0; i < step; ++i) needed[i] = limit;
        if (limits_of_images != nullptr)
            for (std::size_t i = 0; i < step; ++i)
                needed[i] = std::min(limit, limits_of_images[first + i]);
        for (std::size_t i = 0; i < step; ++i) {
            const std::size_t image = first + i;
            float score = 0;
            if constexpr (has_words)
                score = static_cast<float>(words.products[image]) * words.inverse_norms[image] *
                        words.factor;
            if constexpr (has_excess)
                score += excess.sums[image] * excess.sum_factor +
                         excess.roots[image] * excess.root_factor;
            if constexpr (has_codes)
                score += static_cast<float>(codes.products[image]) * codes.inverse_norms[image] *
                         codes.factor;
            reaches[i] = score >= needed[i] ? 1 : 0;
        }
        for (std::size_t i = 0; i < step; i += sizeof(std::uint64_t)) {
            std::uint64_t those; // a byte an image, 0 of most
            std::memcpy(&those, reaches + i, sizeof(those));
            for (; those != 0; those &= those - 1)
                hits[count++] = static_cast<std::uint16_t>(
                    first + i + static_cast<unsigned>(std::countr_zero(those)) / 8);
        }
    }
    return count;
}

template <typename Word>
std::size_t screen_parts(const PartOfScore<Word> &words, const Excess &excess,
                         const PartOfScore<std::int32_t> &codes, float limit,
                         const float *limits_of_images, std::uint16_t *hits) {
    const bool has_codes = codes.products != nullptr;
    const auto way =
        words.products == nullptr ? &screen<false, false, true, Word>
        : excess.sums != nullptr
            ? (has_codes ? &screen<true, true, true, Word> : &screen<true, true, false, Word>)
            : (has_codes ? &screen<true, false, true, Word> : &screen<true, false, false, Word>);
    return way(words, excess, codes, limit, limits_of_images, hits);
}

} // namespace

std::size_t screen_block(const PartOfScore<std::uint16_t> &words, const Excess &excess,
                         const PartOfScore<std::int32_t> &codes, float limit,
                         const float *limits_of_images, std::uint16_t *hits) {
    return screen_parts(words, excess, codes, limit, limits_of_images, hits);
}

std::size_t screen_block(const PartOfScore<std::uint32_t> &words, const Excess &excess,
                         const PartOfScore<std::int32_t> &codes, float limit,
                         const float *limits_of_images, std::uint16_t *hits) {
    return screen_parts(words, excess, codes, limit, limits_of_images, hits);
}

} // namespace bowhist

// The screens share a row's norm, and the walk of a block of rows, which stay in the caches, past
// all words, in tiles that stay in registers. Included once for each target.
#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/assign/host/simd/screen.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/core/round_up.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#if defined(BOWHIST_WALK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BOWHIST_WALK_INL
#undef BOWHIST_WALK_INL
#else
#define BOWHIST_WALK_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The norm of a row in float32, by vectors of D; squares may underflow.
template <class D>
HWY_INLINE float norm(D d, const float *x, std::size_t dimensions) {
    constexpr std::size_t lanes = hn::MaxLanes(D());
    auto squares = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= dimensions; i += lanes) {
        const auto values = hn::LoadU(d, x + i);
        squares = hn::MulAdd(values, values, squares);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, squares));
    for (; i < dimensions; ++i) sum += x[i] * x[i];
    return std::sqrt(sum);
}

/// With few words a row is done before the next could arrive: the CPU's own prefetcher is better.
inline bool pays_to_prefetch(std::size_t words) {
    return words > 32;
}

/// A block of words as a tile reads it.
template <typename Value>
struct BlockOfWords {
    const Value *values; ///< [step][lane of the block's vectors]
    const Value *starts; ///< [lane]
    std::int32_t first_vector;
};

/// Scores a block of rows against a block of words, and prefetches the rows of the next block.
template <std::size_t kVectors, class Rows, typename Value>
HWY_NOINLINE void score_rows(Rows &rows, std::size_t slots, const BlockOfWords<Value> &block,
                             bool prefetch) {
    for (std::size_t slot = 0; slot < slots; slot += Rows::tile_rows) {
        if (prefetch)
            for (std::size_t r = slot; r < slot + Rows::tile_rows; ++r)
                prefetch_row(rows.source(r), rows.dimensions(), Rows::most);
        rows.template score_tile<kVectors>(slot, block);
    }
}

/// Scores a block of rows against all words.
template <class Rows, typename Value>
void score_words(Rows &rows, std::size_t slots, const PackedWords<Value> &words,
                 const Value *starts) {
    constexpr std::size_t most = Rows::tile_vectors;
    for (std::size_t b = 0; b < words.blocks(); ++b) {
        const BlockOfWords<Value> block{words.block(b), starts + b * words.words_a_block(),
                                        static_cast<std::int32_t>(b * most)};
        const bool prefetch = b == 0 && pays_to_prefetch(words.padded_words());
        switch (words.vectors(b)) {
        case 1:
            score_rows<1>(rows, slots, block, prefetch);
            break;
        case 2:
            score_rows<std::min<std::size_t>(2, most)>(rows, slots, block, prefetch);
            break;
        case 3:
            score_rows<std::min<std::size_t>(3, most)>(rows, slots, block, prefetch);
            break;
        default:
            score_rows<most>(rows, slots, block, prefetch);
        }
    }
}

/// Finds the words of all rows, block by block. A block of rows, `Rows`, brings
///     most, tile_rows, tile_vectors   of a block, a whole number of tiles; of a tile
///     take(rows, count)               starts with these, filled up to whole tiles; false: cannot
///     words(), starts()               what they are scored against
///     source(slot), dimensions()      where a row came from; of slots that only fill up, too
///     score_tile<kVectors>(slot, block)
///     proven_word(slot)               or unproven_word
template <class Rows>
void search_blocks(Rows &block, const float *const *rows, std::size_t count, std::int32_t *found) {
    static_assert(Rows::most % Rows::tile_rows == 0 && Rows::tile_vectors <= 4);
    for (std::size_t first = 0; first < count; first += Rows::most) {
        const std::size_t here = std::min(Rows::most, count - first);
        if (!block.take(rows + first, here)) {
            std::fill_n(found + first, here, unproven_word);
            continue;
        }
        score_words(block, round_up(here, Rows::tile_rows), block.words(), block.starts());
        for (std::size_t slot = 0; slot < here; ++slot)
            found[first + slot] = block.proven_word(slot);
    }
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#endif

// Scores in integers: rows and centroids are rounded to sixteen bits, their products are summed
// exactly in thirty-two. The number of a vector of words rides in the low bits of its scores.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/assign/host/simd/integer_screen.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/assign/host/simd/integer_rows-inl.hpp>
#include <bowhist/assign/host/simd/pair_products-inl.hpp>
#include <bowhist/assign/host/simd/walk-inl.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <memory>

#ifndef BOWHIST_INTEGER_SCREEN_ONCE
#define BOWHIST_INTEGER_SCREEN_ONCE
namespace bowhist {

using IntegerSearch = void (*)(const IntegerWords &, const float *const *rows, std::size_t count,
                               std::int32_t *words);

/// A search for the vector units at hand, and the shape it wants its words in.
struct IntegerKernel {
    PackedShape shape;
    IntegerSearch search = nullptr;
};

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

using Integers = hn::ScalableTag<std::int32_t>;
using Vector = hn::Vec<Integers>;
constexpr std::size_t lanes = hn::MaxLanes(Integers());
constexpr std::size_t vectors_a_tile = HWY_TARGET == HWY_AVX3 ? 4 : 2;

/// A block of rows and, for each of them and each lane, over the words so far: the best score and
/// the runner-up, with the numbers of their vectors.
template <bool kVnni>
class RankedRows {
  public:
    static constexpr std::size_t most = rows_a_block;
    static constexpr std::size_t tile_rows = 6;
    static constexpr std::size_t tile_vectors = vectors_a_tile;

    explicit RankedRows(const IntegerWords &words)
        : words_(words), starts_(allocate_aligned<std::int32_t>(words.pairs.padded_words())) {
        rows_.pairs = allocate_aligned<std::int32_t>(most * words.pairs.steps());
    }

    const PackedWords<std::int32_t> &words() const { return words_.pairs; }
    const std::int32_t *starts() const { return starts_.get(); }
    const float *source(std::size_t slot) const { return rows_.source[slot]; }
    std::size_t dimensions() const { return words_.dimensions; }

    bool take(const float *const *rows, std::size_t count) {
        if (!round_rows(words_, rows, count, tile_rows, rows_)) return false;
        round_starts();
        std::fill_n(best_, most * lanes, std::numeric_limits<std::int32_t>::min());
        std::fill_n(second_, most * lanes, std::numeric_limits<std::int32_t>::min());
        return true;
    }

    /// Scores tile_rows rows against a block of words, all in registers.
    template <std::size_t kVectors>
    HWY_INLINE void score_tile(std::size_t slot, const BlockOfWords<std::int32_t> &block) {
        const Integers d;
        const std::size_t pairs = words_.pairs.steps();
        const std::int32_t *rows = rows_.pairs.get() + slot * pairs;
        Vector score[tile_rows][kVectors];
#pragma GCC unroll 16
        for (std::size_t r = 0; r < tile_rows; ++r)
#pragma GCC unroll 4
            for (std::size_t v = 0; v < kVectors; ++v)
                score[r][v] = hn::Load(d, block.starts + v * lanes);
        const std::int32_t *centroids = block.values;
        for (std::size_t i = 0; i < pairs; ++i) {
            Vector c[kVectors];
#pragma GCC unroll 4
            for (std::size_t v = 0; v < kVectors; ++v) c[v] = hn::Load(d, centroids + v * lanes);
            centroids += kVectors * lanes;
#pragma GCC unroll 16
            for (std::size_t r = 0; r < tile_rows; ++r) {
                const Vector x = hn::Set(d, rows[r * pairs + i]);
#pragma GCC unroll 4
                for (std::size_t v = 0; v < kVectors; ++v)
                    score[r][v] = add_products<kVnni>(score[r][v], x, c[v]);
            }
        }
        // Read once: for all the compiler knows, what is stored below might change them.
        const std::int32_t first_vector = block.first_vector;
        const Vector score_bits = hn::Set(d, ~words_.number_mask);
#pragma GCC unroll 16
        for (std::size_t r = 0; r < tile_rows; ++r)
            rank<kVectors>(score[r], score_bits, first_vector, slot + r);
    }

    /// The word of a row, where no other score is within its margin of the best.
    std::int32_t proven_word(std::size_t slot) const {
        const Integers d;
        const Vector best = hn::Load(d, best_ + slot * lanes);
        const Vector second = hn::Load(d, second_ + slot * lanes);
        const double within =
            std::floor(hn::GetLane(hn::MaxOfLanes(d, best)) - rows_.margin[slot]) - 1;
        if (!(within > std::numeric_limits<std::int32_t>::min())) return unproven_word;
        const Vector limit = hn::Set(d, static_cast<std::int32_t>(within));
        const auto winner = hn::Gt(best, limit);
        if (hn::CountTrue(d, winner) != 1 || !hn::AllFalse(d, hn::Gt(second, limit)))
            return unproven_word;
        const auto lane = static_cast<std::size_t>(hn::FindFirstTrue(d, winner));
        return (best_[slot * lanes + lane] & words_.number_mask) *
                   static_cast<std::int32_t>(lanes) +
               static_cast<std::int32_t>(lane);
    }

  private:
    /// −‖c‖²/2 of each word, in the units of these rows' scores.
    HWY_INLINE void round_starts() {
        const hn::ScalableTag<float> d;
        const auto factor = hn::Set(d, static_cast<float>(rows_.scale * words_.scale));
        for (std::size_t j = 0; j < words_.pairs.padded_words(); j += lanes)
            hn::Store(hn::NearestInt(hn::Mul(hn::Load(d, words_.starts.get() + j), factor)),
                      Integers(), starts_.get() + j);
    }

    template <std::size_t kVectors>
    HWY_INLINE void rank(const Vector *score, Vector score_bits, std::int32_t first_vector,
                         std::size_t slot) {
        const Integers d;
        Vector best = hn::Load(d, best_ + slot * lanes);
        Vector second = hn::Load(d, second_ + slot * lanes);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v) {
            const Vector number = hn::Set(d, first_vector + static_cast<std::int32_t>(v));
            const Vector numbered = hn::OrAnd(number, score[v], score_bits);
            second = hn::Max(second, hn::Min(best, numbered));
            best = hn::Max(best, numbered);
        }
        hn::Store(best, d, best_ + slot * lanes);
        hn::Store(second, d, second_ + slot * lanes);
    }

    const IntegerWords &words_;
    hwy::AlignedFreeUniquePtr<std::int32_t[]> starts_; ///< of the words, for these rows
    IntegerRows rows_;
    alignas(64) std::int32_t best_[most * lanes];
    alignas(64) std::int32_t second_[most * lanes];
};

template <bool kVnni>
void search_words(const IntegerWords &words, const float *const *rows, std::size_t count,
                  std::int32_t *found) {
    RankedRows<kVnni> block(words);
    search_blocks(block, rows, count, found);
}

IntegerKernel choose() {
    const PackedShape shape{lanes, vectors_a_tile};
#if HWY_TARGET == HWY_AVX3
    if (__builtin_cpu_supports("avx512vnni")) return {shape, &search_words<true>};
#endif
    return {shape, &search_words<false>};
}

#else // the others have no instruction that multiplies and adds more integers than floats

IntegerKernel choose() {
    return {};
}

#endif

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(choose);

} // namespace

Screen make_integer_screen(const Vocabulary &vocabulary, double bound_scale) {
    const IntegerKernel kernel = HWY_DYNAMIC_DISPATCH(choose)();
    if (kernel.search == nullptr) return nullptr;
    auto packed = pack_integers(vocabulary, kernel.shape, bound_scale);
    if (!packed) return nullptr;
    return
        [search = kernel.search, words = std::make_shared<const IntegerWords>(*std::move(packed))](
            std::span<const float *const> rows, std::span<std::int32_t> found) {
            search(*words, rows.data(), rows.size(), found.data());
        };
}

} // namespace bowhist
#endif

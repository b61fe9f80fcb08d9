// Scores in integers: rows and centroids are rounded to sixteen bits, their products are summed
// exactly in thirty-two. The number of a vector of words rides in the low bits of its scores.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/assign/simd/integer_screen.cpp"
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // arrays of vectors
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/assign/simd/integer_rows-inl.hpp>
#include <bowhist/assign/simd/integer_words.hpp>
#include <bowhist/assign/simd/prefetch.hpp>
#include <bowhist/assign/simd/screen.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>

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
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

using Integers = hn::ScalableTag<std::int32_t>;
using Vector = hn::Vec<Integers>;
constexpr std::size_t lanes = hn::MaxLanes(Integers());
constexpr std::size_t tile_rows = 6;
constexpr std::size_t tile_vectors = HWY_TARGET == HWY_AVX3 ? 4 : 2;
static_assert(rows_a_block % tile_rows == 0);

struct IntegerBests {
    alignas(64) std::int32_t best[rows_a_block * lanes];
    alignas(64) std::int32_t second[rows_a_block * lanes];
};

/// sum + a0·b0 + a1·b1 in each lane.
template <bool kVnni>
HWY_INLINE Vector add_products(Vector sum, Vector a, Vector b) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (kVnni) { // Highway 1.0 has no operation for it
        asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
        return sum;
    }
#endif
    const hn::RepartitionToNarrow<Integers> shorts;
    Vector unused = hn::Zero(Integers());
    return hn::ReorderWidenMulAccumulate(Integers(), hn::BitCast(shorts, a), hn::BitCast(shorts, b),
                                         sum, unused);
}

struct BlockOfPairs {
    const std::int32_t *pairs;  ///< [pair of dimensions][lane of kVectors vectors]
    const std::int32_t *starts; ///< [lane]
    std::int32_t first_vector;
    std::int32_t number_mask;
    bool prefetch; ///< ask for the rows of the next block meanwhile
};

template <bool kVnni, std::size_t kVectors>
HWY_INLINE void score_tile(const std::int32_t *rows, std::size_t pairs, const BlockOfPairs &block,
                           std::size_t slot, IntegerBests &bests) {
    const Integers d;
    Vector score[tile_rows][kVectors];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < tile_rows; ++r)
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v)
            score[r][v] = hn::Load(d, block.starts + v * lanes);
    const std::int32_t *centroids = block.pairs;
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
    const Vector score_bits = hn::Set(d, ~block.number_mask);
    Vector numbers[kVectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v)
        numbers[v] = hn::Set(d, block.first_vector + static_cast<std::int32_t>(v));
#pragma GCC unroll 16
    for (std::size_t r = 0; r < tile_rows; ++r) {
        const std::size_t at = (slot + r) * lanes;
        Vector best = hn::Load(d, bests.best + at);
        Vector second = hn::Load(d, bests.second + at);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v) {
            const Vector numbered = hn::OrAnd(numbers[v], score[r][v], score_bits);
            second = hn::Max(second, hn::Min(best, numbered));
            best = hn::Max(best, numbered);
        }
        hn::Store(best, d, bests.best + at);
        hn::Store(second, d, bests.second + at);
    }
}

template <bool kVnni, std::size_t kVectors>
HWY_NOINLINE void score_rows(const IntegerWords &words, const IntegerRows &rows, std::size_t count,
                             const BlockOfPairs &block, IntegerBests &bests) {
    const std::size_t pairs = words.pairs.steps();
    for (std::size_t slot = 0; slot < count; slot += tile_rows) {
        if (block.prefetch)
            for (std::size_t r = slot; r < slot + tile_rows; ++r)
                prefetch_row(rows.source[r], words.dimensions, rows_a_block);
        score_tile<kVnni, kVectors>(rows.pairs.get() + slot * pairs, pairs, block, slot, bests);
    }
}

/// The word of a row, where no other score is within the margin of the best.
HWY_INLINE std::int32_t proven_word(const IntegerBests &bests, std::size_t slot, double margin,
                                    std::int32_t number_mask) {
    const Integers d;
    const Vector best = hn::Load(d, bests.best + slot * lanes);
    const Vector second = hn::Load(d, bests.second + slot * lanes);
    const double within = std::floor(hn::GetLane(hn::MaxOfLanes(d, best)) - margin) - 1;
    if (!(within > std::numeric_limits<std::int32_t>::min())) return Screen::unproven;
    const Vector limit = hn::Set(d, static_cast<std::int32_t>(within));
    const auto winner = hn::Gt(best, limit);
    if (hn::CountTrue(d, winner) != 1 || !hn::AllFalse(d, hn::Gt(second, limit)))
        return Screen::unproven;
    const auto lane = static_cast<std::size_t>(hn::FindFirstTrue(d, winner));
    return (bests.best[slot * lanes + lane] & number_mask) * static_cast<std::int32_t>(lanes) +
           static_cast<std::int32_t>(lane);
}

/// Scores the rows against all words.
template <bool kVnni>
void score_words(const IntegerWords &words, const std::int32_t *starts, const IntegerRows &rows,
                 std::size_t count, IntegerBests &bests) {
    std::fill_n(bests.best, count * lanes, std::numeric_limits<std::int32_t>::min());
    std::fill_n(bests.second, count * lanes, std::numeric_limits<std::int32_t>::min());
    for (std::size_t b = 0; b < words.pairs.blocks(); ++b) {
        const BlockOfPairs block{words.pairs.block(b), starts + b * words.pairs.words_a_block(),
                                 static_cast<std::int32_t>(b * tile_vectors), words.number_mask,
                                 b == 0 && pays_to_prefetch(words.pairs.padded_words())};
        const std::size_t vectors = words.pairs.vectors(b);
        if (vectors == tile_vectors)
            score_rows<kVnni, tile_vectors>(words, rows, count, block, bests);
        else if (vectors == 3)
            score_rows<kVnni, 3>(words, rows, count, block, bests);
        else if (vectors == 2)
            score_rows<kVnni, 2>(words, rows, count, block, bests);
        else
            score_rows<kVnni, 1>(words, rows, count, block, bests);
    }
}

/// −‖c‖²/2 of each word, in the units of these rows' scores.
HWY_INLINE void round_starts(const IntegerWords &words, float scale, std::int32_t *starts) {
    const hn::ScalableTag<float> d;
    const auto factor = hn::Set(d, static_cast<float>(scale * words.scale));
    for (std::size_t j = 0; j < words.pairs.padded_words(); j += lanes)
        hn::Store(hn::NearestInt(hn::Mul(hn::Load(d, words.starts.get() + j), factor)), Integers(),
                  starts + j);
}

template <bool kVnni>
void search_words(const IntegerWords &words, const float *const *rows, std::size_t count,
                  std::int32_t *found) {
    const auto starts = allocate_aligned<std::int32_t>(words.pairs.padded_words());
    IntegerRows integers;
    integers.pairs = allocate_aligned<std::int32_t>(rows_a_block * words.pairs.steps());
    IntegerBests bests;
    for (std::size_t first = 0; first < count; first += rows_a_block) {
        const std::size_t here = std::min(rows_a_block, count - first);
        if (!round_rows(words, rows + first, here, tile_rows, integers)) {
            std::fill_n(found + first, here, Screen::unproven);
            continue;
        }
        round_starts(words, integers.scale, starts.get());
        const std::size_t slots = (here + tile_rows - 1) / tile_rows * tile_rows;
        score_words<kVnni>(words, starts.get(), integers, slots, bests);
        for (std::size_t slot = 0; slot < here; ++slot)
            found[first + slot] =
                proven_word(bests, slot, integers.margin[slot], words.number_mask);
    }
}

IntegerKernel choose() {
    const PackedShape shape{lanes, tile_vectors};
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

class IntegerScreen : public Screen {
  public:
    IntegerScreen(const IntegerKernel &kernel, IntegerWords words)
        : kernel_(kernel), words_(std::move(words)) {}

    void search(std::span<const float *const> rows, std::span<std::int32_t> words) const override {
        kernel_.search(words_, rows.data(), rows.size(), words.data());
    }

  private:
    IntegerKernel kernel_;
    IntegerWords words_;
};

} // namespace

std::unique_ptr<Screen> make_integer_screen(const Vocabulary &vocabulary, double bound_scale) {
    const IntegerKernel kernel = HWY_DYNAMIC_DISPATCH(choose)();
    if (kernel.search == nullptr) return nullptr;
    auto words = pack_integers(vocabulary, kernel.shape, bound_scale);
    if (!words) return nullptr;
    return std::make_unique<IntegerScreen>(kernel, std::move(*words));
}

} // namespace bowhist
#endif

// Scores in integers: rows and centroids are rounded to sixteen bits, their products are summed
// exactly in thirty-two. The number of a vector of words rides in the low bits of its scores.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/assign/simd/integer_screen.cpp"
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // arrays of vectors
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/simd/packed_words.hpp>
#include <bowhist/assign/simd/screen.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#ifndef BOWHIST_INTEGER_SCREEN_ONCE
#define BOWHIST_INTEGER_SCREEN_ONCE
namespace bowhist {

/// Everything a search in integers reads.
struct IntegerWords {
    PackedWords<std::int32_t> pairs;           ///< two neighbouring dimensions in each
    hwy::AlignedFreeUniquePtr<float[]> starts; ///< minus infinity for words that only fill up
    double scale = 0;                          ///< from centroid to integers
    double longest = 0;                        ///< at least the norm of any centroid
    double residual = 0;                       ///< at least the norm of any rounding, in integers
    std::size_t dimensions = 0;
    double bound_scale = 1;
};

using IntegerSearch = void (*)(const IntegerWords &, const float *const *rows, std::size_t count,
                               std::int32_t *words);

/// A search for the vector units at hand, and the shape it wants its words in.
struct IntegerKernel {
    PackedShape shape;
    IntegerSearch search = nullptr;
};

/// A row's norm in integers: no element of it exceeds sixteen bits.
constexpr double longest_integer_row = 32000;
/// A score in integers, rounding aside: no partial sum exceeds thirty-two bits.
constexpr double largest_integer_score = 2.1e9;

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

using Integers = hn::ScalableTag<std::int32_t>;
using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Integers>;
constexpr std::size_t lanes = hn::MaxLanes(Integers());
constexpr std::size_t tile_rows = 6;
constexpr std::size_t tile_vectors = HWY_TARGET == HWY_AVX3 ? 4 : 2;
constexpr std::size_t rows_a_block = 192; // a multiple of tile_rows

/// Rows of a block in integers, and what is known of each.
struct IntegerRows {
    hwy::AlignedFreeUniquePtr<std::int32_t[]> pairs; ///< [row][pair of dimensions]
    std::array<double, rows_a_block> norm;           ///< at least, of the row itself
    std::array<double, rows_a_block> residual;       ///< at least, of its rounding, in integers
};

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
    std::int32_t number_mask; ///< the low bits that hold a vector's number
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
#pragma GCC unroll 16
    for (std::size_t r = 0; r < tile_rows; ++r) {
        const std::size_t at = (slot + r) * lanes;
        Vector best = hn::Load(d, bests.best + at);
        Vector second = hn::Load(d, bests.second + at);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v) {
            const Vector number = hn::Set(d, block.first_vector + static_cast<std::int32_t>(v));
            const Vector numbered = hn::OrAnd(number, score[r][v], score_bits);
            second = hn::Max(second, hn::Min(best, numbered));
            best = hn::Max(best, numbered);
        }
        hn::Store(best, d, bests.best + at);
        hn::Store(second, d, bests.second + at);
    }
}

template <bool kVnni, std::size_t kVectors>
HWY_NOINLINE void score_rows(const std::int32_t *rows, std::size_t count, std::size_t pairs,
                             const BlockOfPairs &block, IntegerBests &bests) {
    for (std::size_t slot = 0; slot < count; slot += tile_rows)
        score_tile<kVnni, kVectors>(rows + slot * pairs, pairs, block, slot, bests);
}

/// At least the norm of x.
HWY_INLINE double norm(const float *x, std::size_t dimensions) {
    const Floats d;
    auto squares = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= dimensions; i += lanes) {
        const auto values = hn::LoadU(d, x + i);
        squares = hn::MulAdd(values, values, squares);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, squares));
    for (; i < dimensions; ++i) sum += x[i] * x[i];
    return static_cast<double>(std::sqrt(sum)) * 1.001 + 0x1p-56;
}

/// Rounds scale·x to integers. Returns at least the norm of what that changed.
HWY_INLINE double round_row(const float *x, std::size_t dimensions, float scale,
                            std::int32_t *pairs) {
    const Floats d;
    const hn::Rebind<std::int16_t, Floats> shorts;
    auto *values = reinterpret_cast<std::int16_t *>(pairs);
    auto squares = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= dimensions; i += lanes) {
        const auto scaled = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, scale));
        const auto rounded = hn::NearestInt(scaled);
        const auto change = hn::Sub(scaled, hn::ConvertTo(d, rounded));
        squares = hn::MulAdd(change, change, squares);
        hn::StoreU(hn::DemoteTo(shorts, rounded), shorts, values + i);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, squares));
    for (; i < dimensions; ++i) {
        const float scaled = x[i] * scale;
        values[i] = static_cast<std::int16_t>(std::lrint(scaled));
        const float change = scaled - static_cast<float>(values[i]);
        sum += change * change;
    }
    if (dimensions % 2 != 0) values[dimensions] = 0;
    return static_cast<double>(std::sqrt(sum)) * 1.001 + 0x1p-8; // scaling rounds, too
}

/// Twice what a score in integers may be off, and the rule's own roundings.
HWY_INLINE double margin(const IntegerWords &words, double scale, double norm, double residual,
                         std::int32_t number_mask) {
    const double x = scale * norm;
    const double c = words.scale * words.longest;
    const double start = scale * words.scale * words.longest * words.longest / 2;
    const double error = (x + residual) * words.residual + residual * c + start * 0x1p-22 + 1;
    const double rule = 0x1p-53 * static_cast<double>(words.dimensions + 4) *
                        (x * x * words.scale / scale + 2 * x * c + c * c * scale / words.scale);
    return words.bound_scale * (2.002 * error + 1.001 * rule + 2.0 * number_mask + 2);
}

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

template <bool kVnni>
void score_words(const IntegerWords &words, const std::int32_t *starts, const IntegerRows &rows,
                 std::size_t count, std::int32_t number_mask, IntegerBests &bests) {
    const Integers d;
    for (std::size_t slot = 0; slot < count; ++slot) {
        const Vector least = hn::Set(d, std::numeric_limits<std::int32_t>::min());
        hn::Store(least, d, bests.best + slot * lanes);
        hn::Store(least, d, bests.second + slot * lanes);
    }
    const std::size_t pairs = words.pairs.steps();
    for (std::size_t b = 0; b < words.pairs.blocks(); ++b) {
        const BlockOfPairs block{words.pairs.block(b), starts + b * words.pairs.words_a_block(),
                                 static_cast<std::int32_t>(b * tile_vectors), number_mask};
        const std::size_t vectors = words.pairs.vectors(b);
        if (vectors == tile_vectors)
            score_rows<kVnni, tile_vectors>(rows.pairs.get(), count, pairs, block, bests);
        else if (vectors == 3)
            score_rows<kVnni, 3>(rows.pairs.get(), count, pairs, block, bests);
        else if (vectors == 2)
            score_rows<kVnni, 2>(rows.pairs.get(), count, pairs, block, bests);
        else
            score_rows<kVnni, 1>(rows.pairs.get(), count, pairs, block, bests);
    }
}

template <bool kVnni>
void search_words(const IntegerWords &words, const float *const *rows, std::size_t count,
                  std::int32_t *found) {
    const std::size_t pairs = words.pairs.steps();
    const auto number_mask =
        static_cast<std::int32_t>(std::bit_ceil(words.pairs.padded_words() / lanes) - 1);
    const auto starts = hwy::AllocateAligned<std::int32_t>(words.pairs.padded_words());
    IntegerRows integers{hwy::AllocateAligned<std::int32_t>(rows_a_block * pairs), {}, {}};
    IntegerBests bests;
    for (std::size_t first = 0; first < count; first += rows_a_block) {
        const std::size_t here = std::min(rows_a_block, count - first);
        double longest = 0;
        for (std::size_t slot = 0; slot < here; ++slot) {
            integers.norm[slot] = norm(rows[first + slot], words.dimensions);
            longest = std::max(longest, integers.norm[slot]);
        }
        const double scale = std::min(
            longest_integer_row / longest,
            largest_integer_score / (words.scale * words.longest * (longest + words.longest / 2)));
        if (!(scale > 0x1p-50 && scale < 0x1p50)) {
            std::fill_n(found + first, here, Screen::unproven);
            continue;
        }
        const auto rounded_scale = static_cast<float>(scale);
        for (std::size_t slot = 0; slot < here; ++slot)
            integers.residual[slot] = round_row(rows[first + slot], words.dimensions, rounded_scale,
                                                integers.pairs.get() + slot * pairs);
        const std::size_t slots = (here + tile_rows - 1) / tile_rows * tile_rows;
        std::fill_n(integers.pairs.get() + here * pairs, (slots - here) * pairs, 0);
        const Floats d;
        const auto factor = hn::Set(d, static_cast<float>(rounded_scale * words.scale));
        for (std::size_t j = 0; j < words.pairs.padded_words(); j += lanes)
            hn::Store(hn::NearestInt(hn::Mul(hn::Load(d, words.starts.get() + j), factor)),
                      Integers(), starts.get() + j);
        score_words<kVnni>(words, starts.get(), integers, slots, number_mask, bests);
        for (std::size_t slot = 0; slot < here; ++slot)
            found[first + slot] = proven_word(bests, slot,
                                              margin(words, rounded_scale, integers.norm[slot],
                                                     integers.residual[slot], number_mask),
                                              number_mask);
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

double norm(std::span<const float> c) {
    double squares = 0;
    for (const float value : c) squares += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(squares);
}

/// Rounds the centroids to integers, and keeps the largest norm of what that changes.
void pack(const Vocabulary &vocabulary, IntegerWords &words) {
    std::fill_n(words.starts.get(), words.pairs.padded_words(),
                -std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < vocabulary.size(); ++j) {
        const auto c = vocabulary.row(j);
        words.starts[j] = score_start(c);
        double squares = 0;
        for (std::size_t i = 0; i < c.size(); ++i) {
            const double scaled = static_cast<double>(c[i]) * words.scale;
            const auto rounded = static_cast<std::int32_t>(std::lrint(scaled));
            squares += (scaled - rounded) * (scaled - rounded);
            const auto half = static_cast<std::uint32_t>(static_cast<std::uint16_t>(rounded));
            words.pairs.at(j, i / 2) |= static_cast<std::int32_t>(half << (16 * (i % 2)));
        }
        words.residual = std::max(words.residual, std::sqrt(squares) * 1.001);
    }
}

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
    double longest = 0;
    for (std::size_t j = 0; j < vocabulary.size(); ++j)
        longest = std::max(longest, norm(vocabulary.row(j)) * 1.001);
    const double scale = longest_integer_row / longest;
    if (kernel.search == nullptr || vocabulary.dimensions > 1024 ||
        !(scale > 0x1p-50 && scale < 0x1p50))
        return nullptr;
    PackedWords<std::int32_t> pairs(vocabulary.size(), (vocabulary.dimensions + 1) / 2,
                                    kernel.shape);
    auto starts = hwy::AllocateAligned<float>(pairs.padded_words());
    IntegerWords words{std::move(pairs),      std::move(starts), scale, longest, 0,
                       vocabulary.dimensions, bound_scale};
    pack(vocabulary, words);
    return std::make_unique<IntegerScreen>(kernel, std::move(words));
}

} // namespace bowhist
#endif

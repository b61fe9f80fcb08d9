// Scores in float32: a tile of descriptors by centroids lives in registers. Lanes are centroids;
// descriptors stay as they come, each value is broadcast. One copy of the kernel for each
// generation of vector units, chosen when the program runs (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/assign/simd/float_screen.cpp"
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // arrays of vectors
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/assign/simd/float_words.hpp>
#include <bowhist/assign/simd/prefetch.hpp>
#include <bowhist/assign/simd/screen.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>

#ifndef BOWHIST_FLOAT_SCREEN_ONCE
#define BOWHIST_FLOAT_SCREEN_ONCE
namespace bowhist {

using FloatSearch = void (*)(const FloatWords &, const float *const *rows, std::size_t count,
                             std::int32_t *words);

/// Puts each word's score into `scores`. Returns the margin.
using FloatScores = float (*)(const FloatWords &, const float *row, float *scores);

/// Functions for the vector units at hand, and the shape they want their words in.
struct FloatKernel {
    PackedShape shape;
    FloatSearch search = nullptr;
    FloatScores scores = nullptr;
};

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows that pass the centroids together: they and the centroids of a block stay in the caches.
constexpr std::size_t rows_a_block = 48;

/// For each row of a block and each lane, over the words so far: the best score, the runner-up,
/// and which vector of words the best was in.
template <class D, std::size_t kRows>
struct Bests {
    static constexpr std::size_t slots = (rows_a_block + kRows - 1) / kRows * kRows;
    static constexpr std::size_t lanes = hn::MaxLanes(D());
    alignas(64) float best[slots * lanes];
    alignas(64) float second[slots * lanes];
    alignas(64) std::int32_t vector[slots * lanes];
    float margin[slots];

    void clear(D d, std::size_t rows) {
        const auto nothing = hn::Set(d, -std::numeric_limits<float>::infinity());
        for (std::size_t slot = 0; slot < rows; ++slot) {
            hn::Store(nothing, d, best + slot * lanes);
            hn::Store(nothing, d, second + slot * lanes);
        }
    }
};

/// A block of words as a tile reads it.
struct BlockOfWords {
    const float *centroids; ///< [dimension][lane of kVectors vectors]
    const float *starts;    ///< [lane]
    std::int32_t first_vector;
    bool prefetch; ///< ask for the rows of the next block meanwhile
};

/// Scores kRows rows against a block of words, all in registers, and puts them into `bests`.
template <std::size_t kRows, std::size_t kVectors, class D>
HWY_INLINE void score_tile(D d, const float *const *rows, std::size_t dimensions,
                           const BlockOfWords &block, std::size_t slot, Bests<D, kRows> &bests) {
    constexpr std::size_t lanes = hn::MaxLanes(D());
    using Floats = hn::Vec<D>;
    const float *row[kRows];
    Floats score[kRows][kVectors];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
        row[r] = rows[r];
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v)
            score[r][v] = hn::Load(d, block.starts + v * lanes);
    }
    const float *centroids = block.centroids;
    for (std::size_t i = 0; i < dimensions; ++i) {
        Floats c[kVectors];
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v) c[v] = hn::Load(d, centroids + v * lanes);
        centroids += kVectors * lanes;
#pragma GCC unroll 16
        for (std::size_t r = 0; r < kRows; ++r) {
            const Floats x = hn::Set(d, row[r][i]);
#pragma GCC unroll 4
            for (std::size_t v = 0; v < kVectors; ++v)
                score[r][v] = hn::MulAdd(x, c[v], score[r][v]);
        }
    }
    const hn::RebindToSigned<D> integers;
    hn::Vec<hn::RebindToSigned<D>> numbers[kVectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v)
        numbers[v] = hn::Set(integers, block.first_vector + static_cast<std::int32_t>(v));
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
        const std::size_t at = (slot + r) * lanes;
        Floats best = hn::Load(d, bests.best + at);
        Floats second = hn::Load(d, bests.second + at);
        auto vector = hn::Load(integers, bests.vector + at);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v) {
            const auto better = hn::RebindMask(integers, hn::Gt(score[r][v], best));
            vector = hn::IfThenElse(better, numbers[v], vector);
            second = hn::Max(second, hn::Min(best, score[r][v]));
            best = hn::Max(best, score[r][v]);
        }
        hn::Store(best, d, bests.best + at);
        hn::Store(second, d, bests.second + at);
        hn::Store(vector, integers, bests.vector + at);
    }
}

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

/// The word of a row, where no other score is within its margin of the best.
template <class D, std::size_t kRows>
HWY_INLINE std::int32_t proven_word(D d, const Bests<D, kRows> &bests, std::size_t slot) {
    constexpr std::size_t lanes = hn::MaxLanes(D());
    const auto best = hn::Load(d, bests.best + slot * lanes);
    const auto second = hn::Load(d, bests.second + slot * lanes);
    const auto within = hn::Sub(hn::MaxOfLanes(d, best), hn::Set(d, bests.margin[slot]));
    const auto winner = hn::Ge(best, within);
    if (hn::CountTrue(d, winner) != 1 || !hn::AllFalse(d, hn::Ge(second, within)))
        return Screen::unproven;
    const auto lane = static_cast<std::size_t>(hn::FindFirstTrue(d, winner));
    return bests.vector[slot * lanes + lane] * static_cast<std::int32_t>(lanes) +
           static_cast<std::int32_t>(lane);
}

/// Scores a block of rows against a block of words.
template <std::size_t kRows, std::size_t kVectors, class D>
HWY_NOINLINE void score_rows(D d, const float *const *rows, std::size_t count,
                             std::size_t dimensions, const BlockOfWords &block,
                             Bests<D, kRows> &bests) {
    for (std::size_t slot = 0; slot < count; slot += kRows) {
        if (block.prefetch)
            for (std::size_t r = 0; r < kRows; ++r)
                prefetch_row(rows[slot + r], dimensions, rows_a_block);
        score_tile<kRows, kVectors>(d, rows + slot, dimensions, block, slot, bests);
    }
}

template <std::size_t kRows, std::size_t kVectors, class D>
void search_words(D d, const FloatWords &words, const float *const *rows, std::size_t count,
                  std::int32_t *found) {
    const std::size_t dimensions = words.centroids.steps();
    Bests<D, kRows> bests;
    std::array<const float *, Bests<D, kRows>::slots> block_rows;
    for (std::size_t first = 0; first < count; first += rows_a_block) {
        const std::size_t here = std::min(rows_a_block, count - first);
        const std::size_t slots = (here + kRows - 1) / kRows * kRows;
        for (std::size_t slot = 0; slot < slots; ++slot)
            block_rows[slot] = rows[first + std::min(slot, here - 1)];
        for (std::size_t slot = 0; slot < here; ++slot)
            bests.margin[slot] = words.bound.margin(norm(d, block_rows[slot], dimensions));
        bests.clear(d, slots);
        for (std::size_t b = 0; b < words.centroids.blocks(); ++b) {
            const BlockOfWords block{words.centroids.block(b),
                                     words.starts.get() + b * words.centroids.words_a_block(),
                                     static_cast<std::int32_t>(b * kVectors),
                                     b == 0 && pays_to_prefetch(words.centroids.padded_words())};
            const std::size_t vectors = words.centroids.vectors(b);
            if (vectors == kVectors)
                score_rows<kRows, kVectors>(d, block_rows.data(), slots, dimensions, block, bests);
            else if (vectors == 3)
                score_rows<kRows, std::min<std::size_t>(3, kVectors)>(d, block_rows.data(), slots,
                                                                      dimensions, block, bests);
            else if (vectors == 2)
                score_rows<kRows, std::min<std::size_t>(2, kVectors)>(d, block_rows.data(), slots,
                                                                      dimensions, block, bests);
            else
                score_rows<kRows, 1>(d, block_rows.data(), slots, dimensions, block, bests);
        }
        for (std::size_t slot = 0; slot < here; ++slot)
            found[first + slot] = proven_word(d, bests, slot);
    }
}

/// One row against all words, for the few that are looked at again.
template <class D>
float score_row(D d, const FloatWords &words, const float *row, float *scores) {
    constexpr std::size_t lanes = hn::MaxLanes(D());
    const std::size_t dimensions = words.centroids.steps();
    for (std::size_t b = 0; b < words.centroids.blocks(); ++b) {
        const std::size_t first = b * words.centroids.words_a_block();
        const std::size_t width = words.centroids.vectors(b) * lanes;
        for (std::size_t lane = 0; lane < width; lane += lanes) {
            auto score = hn::Load(d, words.starts.get() + first + lane);
            const float *centroids = words.centroids.block(b) + lane;
            for (std::size_t i = 0; i < dimensions; ++i)
                score = hn::MulAdd(hn::Set(d, row[i]), hn::Load(d, centroids + i * width), score);
            hn::Store(score, d, scores + first + lane);
        }
    }
    return words.bound.margin(norm(d, row, dimensions));
}

// Six rows by four vectors fill thirty-two registers, six by two fill sixteen.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr std::size_t vectors_a_tile = 4;
#else
constexpr std::size_t vectors_a_tile = 2;
#endif

void search_many(const FloatWords &words, const float *const *rows, std::size_t count,
                 std::int32_t *found) {
    search_words<6, vectors_a_tile>(hn::ScalableTag<float>(), words, rows, count, found);
}

float score_many(const FloatWords &words, const float *row, float *scores) {
    return score_row(hn::ScalableTag<float>(), words, row, scores);
}

void search_few(const FloatWords &words, const float *const *rows, std::size_t count,
                std::int32_t *found) {
    search_words<12, 1>(hn::CappedTag<float, 8>(), words, rows, count, found);
}

float score_few(const FloatWords &words, const float *row, float *scores) {
    return score_row(hn::CappedTag<float, 8>(), words, row, scores);
}

FloatKernel choose(std::size_t words) {
    if (words <= 8) return {{hn::Lanes(hn::CappedTag<float, 8>()), 1}, &search_few, &score_few};
    return {{hn::Lanes(hn::ScalableTag<float>()), vectors_a_tile}, &search_many, &score_many};
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(choose);

class TiledFloatScreen : public FloatScreen {
  public:
    TiledFloatScreen(const Vocabulary &vocabulary, double bound_scale)
        : size_(vocabulary.size()), kernel_(HWY_DYNAMIC_DISPATCH(choose)(vocabulary.size())),
          words_(pack_floats(vocabulary, kernel_.shape, bound_scale)) {}

    void search(std::span<const float *const> rows, std::span<std::int32_t> words) const override {
        kernel_.search(words_, rows.data(), rows.size(), words.data());
    }

    void candidates(const float *x, std::vector<std::int32_t> &words) const override {
        const auto scores = allocate_aligned<float>(words_.centroids.padded_words());
        const float margin = kernel_.scores(words_, x, scores.get());
        const float within = *std::max_element(scores.get(), scores.get() + size_) - margin;
        words.clear();
        for (std::size_t j = 0; j < size_; ++j)
            if (!(scores[j] < within)) words.push_back(static_cast<std::int32_t>(j));
    }

  private:
    std::size_t size_;
    FloatKernel kernel_;
    FloatWords words_;
};

} // namespace

std::unique_ptr<FloatScreen> make_float_screen(const Vocabulary &vocabulary, double bound_scale) {
    return std::make_unique<TiledFloatScreen>(vocabulary, bound_scale);
}

} // namespace bowhist
#endif

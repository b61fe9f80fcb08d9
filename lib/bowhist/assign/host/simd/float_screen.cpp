// Scores in float32: a tile of descriptors by centroids lives in registers. Lanes are centroids;
// descriptors stay as they come, each value is broadcast (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/assign/host/simd/float_screen.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/assign/host/simd/float_words.hpp>
#include <bowhist/assign/host/simd/walk-inl.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <memory>

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

/// A block of rows and, for each of them and each lane, over the words so far: the best score, the
/// runner-up, and which vector of words the best was in.
template <std::size_t kRows, std::size_t kVectors, class D>
class FloatRows {
  public:
    static constexpr std::size_t most = 48;
    static constexpr std::size_t tile_rows = kRows;
    static constexpr std::size_t tile_vectors = kVectors;

    explicit FloatRows(const FloatWords &words) : words_(words) {}

    const PackedWords<float> &words() const { return words_.centroids; }
    const float *starts() const { return words_.starts.get(); }
    const float *source(std::size_t slot) const { return rows_[slot]; }
    std::size_t dimensions() const { return words_.centroids.steps(); }

    bool take(const float *const *rows, std::size_t count) {
        const D d;
        const auto nothing = hn::Set(d, -std::numeric_limits<float>::infinity());
        for (std::size_t slot = 0; slot < count || slot % kRows != 0; ++slot) {
            rows_[slot] = rows[std::min(slot, count - 1)];
            margin_[slot] = words_.bound.margin(norm(d, rows_[slot], dimensions()));
            hn::Store(nothing, d, best_ + slot * lanes);
            hn::Store(nothing, d, second_ + slot * lanes);
        }
        return true;
    }

    /// Scores kRows rows against a block of words, all in registers.
    template <std::size_t kBlockVectors>
    HWY_INLINE void score_tile(std::size_t slot, const BlockOfWords<float> &block) {
        const D d;
        const float *row[kRows];
        Floats score[kRows][kBlockVectors];
#pragma GCC unroll 16
        for (std::size_t r = 0; r < kRows; ++r) {
            row[r] = rows_[slot + r];
#pragma GCC unroll 4
            for (std::size_t v = 0; v < kBlockVectors; ++v)
                score[r][v] = hn::Load(d, block.starts + v * lanes);
        }
        const float *centroids = block.values;
        const std::size_t steps = dimensions();
        for (std::size_t i = 0; i < steps; ++i) {
            Floats c[kBlockVectors];
#pragma GCC unroll 4
            for (std::size_t v = 0; v < kBlockVectors; ++v)
                c[v] = hn::Load(d, centroids + v * lanes);
            centroids += kBlockVectors * lanes;
#pragma GCC unroll 16
            for (std::size_t r = 0; r < kRows; ++r) {
                const Floats x = hn::Set(d, row[r][i]);
#pragma GCC unroll 4
                for (std::size_t v = 0; v < kBlockVectors; ++v)
                    score[r][v] = hn::MulAdd(x, c[v], score[r][v]);
            }
        }
        // Read once: for all the compiler knows, what is stored below might change it.
        const std::int32_t first_vector = block.first_vector;
#pragma GCC unroll 16
        for (std::size_t r = 0; r < kRows; ++r)
            rank<kBlockVectors>(score[r], first_vector, slot + r);
    }

    /// The word of a row, where no other score is within its margin of the best.
    std::int32_t proven_word(std::size_t slot) const {
        const D d;
        const auto best = hn::Load(d, best_ + slot * lanes);
        const auto second = hn::Load(d, second_ + slot * lanes);
        const auto within = hn::Sub(hn::MaxOfLanes(d, best), hn::Set(d, margin_[slot]));
        const auto winner = hn::Ge(best, within);
        if (hn::CountTrue(d, winner) != 1 || !hn::AllFalse(d, hn::Ge(second, within)))
            return unproven_word;
        const auto lane = static_cast<std::size_t>(hn::FindFirstTrue(d, winner));
        return vector_[slot * lanes + lane] * static_cast<std::int32_t>(lanes) +
               static_cast<std::int32_t>(lane);
    }

  private:
    using Floats = hn::Vec<D>;
    static constexpr std::size_t lanes = hn::MaxLanes(D());

    template <std::size_t kBlockVectors>
    HWY_INLINE void rank(const Floats *score, std::int32_t first_vector, std::size_t slot) {
        const D d;
        const hn::RebindToSigned<D> integers;
        Floats best = hn::Load(d, best_ + slot * lanes);
        Floats second = hn::Load(d, second_ + slot * lanes);
        auto vector = hn::Load(integers, vector_ + slot * lanes);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kBlockVectors; ++v) {
            const auto number = hn::Set(integers, first_vector + static_cast<std::int32_t>(v));
            const auto better = hn::RebindMask(integers, hn::Gt(score[v], best));
            vector = hn::IfThenElse(better, number, vector);
            second = hn::Max(second, hn::Min(best, score[v]));
            best = hn::Max(best, score[v]);
        }
        hn::Store(best, d, best_ + slot * lanes);
        hn::Store(second, d, second_ + slot * lanes);
        hn::Store(vector, integers, vector_ + slot * lanes);
    }

    const FloatWords &words_;
    alignas(64) float best_[most * lanes];
    alignas(64) float second_[most * lanes];
    alignas(64) std::int32_t vector_[most * lanes];
    const float *rows_[most];
    float margin_[most];
};

template <std::size_t kRows, std::size_t kVectors, class D>
void search_rows(const FloatWords &words, const float *const *rows, std::size_t count,
                 std::int32_t *found) {
    FloatRows<kRows, kVectors, D> block(words);
    search_blocks(block, rows, count, found);
}

/// One row against all words, for the few that are looked at again.
template <class D>
float score_row(const FloatWords &words, const float *row, float *scores) {
    const D d;
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

FloatKernel choose(std::size_t words) {
    using Few = hn::CappedTag<float, 8>;
    using Many = hn::ScalableTag<float>;
    if (words <= 8) return {{hn::Lanes(Few()), 1}, &search_rows<12, 1, Few>, &score_row<Few>};
    return {{hn::Lanes(Many()), vectors_a_tile},
            &search_rows<6, vectors_a_tile, Many>,
            &score_row<Many>};
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(choose);

} // namespace

FloatScreen make_float_screen(const Vocabulary &vocabulary, double bound_scale) {
    const FloatKernel kernel = HWY_DYNAMIC_DISPATCH(choose)(vocabulary.size());
    const auto words =
        std::make_shared<const FloatWords>(pack_floats(vocabulary, kernel.shape, bound_scale));
    const auto search = [=](std::span<const float *const> rows, std::span<std::int32_t> found) {
        kernel.search(*words, rows.data(), rows.size(), found.data());
    };
    const auto candidates = [=, k = vocabulary.size()](const float *x,
                                                       std::vector<std::int32_t> &left) {
        const auto scores = allocate_aligned<float>(words->centroids.padded_words());
        const float margin = kernel.scores(*words, x, scores.get());
        const float within = *std::max_element(scores.get(), scores.get() + k) - margin;
        left.clear();
        for (std::size_t j = 0; j < k; ++j)
            if (!(scores[j] < within)) left.push_back(static_cast<std::int32_t>(j));
    };
    return {search, candidates};
}

} // namespace bowhist
#endif

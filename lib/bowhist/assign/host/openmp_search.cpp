// The level openmp, a copy for each generation of vector units (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/assign/host/openmp_search.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/round_up.hpp>

#include <hwy/highway.h>

#include <limits>

#ifndef BOWHIST_OPENMP_SEARCH_ONCE
#define BOWHIST_OPENMP_SEARCH_ONCE
namespace bowhist {

constexpr std::size_t lanes = 64; // of a block
constexpr float infinity = std::numeric_limits<float>::infinity();

/// For each lane, over the blocks: the best, the runner-up, and the best's block.
struct LaneBests {
    float best[lanes];
    float second[lanes];
    std::int32_t block[lanes];
};

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void search_lanes(const float *x, const float *blocks, std::size_t block_count,
                  std::size_t dimensions, LaneBests &lane) {
    const hn::CappedTag<float, lanes> d;
    const hn::RebindToSigned<decltype(d)> whole;
    constexpr std::size_t a_vector = hn::MaxLanes(d);
    constexpr std::size_t vectors = lanes / a_vector;
    hn::Vec<decltype(d)> best[vectors];
    hn::Vec<decltype(d)> second[vectors];
    hn::Vec<decltype(whole)> block[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        best[v] = second[v] = hn::Set(d, infinity);
        block[v] = hn::Zero(whole);
    }
    for (std::size_t b = 0; b < block_count; ++b) {
        const float *centroids = blocks + b * dimensions * lanes;
        hn::Vec<decltype(d)> distance[vectors];
        for (auto &one : distance) one = hn::Zero(d);
        for (std::size_t i = 0; i < dimensions; ++i, centroids += lanes)
            for (std::size_t v = 0; v < vectors; ++v) {
                const auto difference =
                    hn::Sub(hn::Set(d, x[i]), hn::LoadU(d, centroids + v * a_vector));
                distance[v] = hn::MulAdd(difference, difference, distance[v]);
            }
        const auto number = hn::Set(whole, static_cast<std::int32_t>(b));
        for (std::size_t v = 0; v < vectors; ++v) {
            const auto nearer = hn::Lt(distance[v], best[v]);
            const auto loser = hn::IfThenElse(nearer, best[v], distance[v]);
            second[v] = hn::IfThenElse(hn::Lt(loser, second[v]), loser, second[v]);
            best[v] = hn::IfThenElse(nearer, distance[v], best[v]);
            block[v] = hn::IfThenElse(hn::RebindMask(whole, nearer), number, block[v]);
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        hn::StoreU(best[v], d, lane.best + v * a_vector);
        hn::StoreU(second[v], d, lane.second + v * a_vector);
        hn::StoreU(block[v], whole, lane.block + v * a_vector);
    }
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(search_lanes);

// A slice is this much work for each thread.
constexpr std::size_t comparisons_a_slice = std::size_t{1} << 25;
constexpr std::size_t least_rows_a_slice = 8;

/// Centroids for a CPU's vector units: blocks of 64 words, dimension by dimension, so that one
/// vector holds the same dimension of neighboring words. Infinity, never nearest, fills up the
/// last.
class PackedCentroids {
  public:
    explicit PackedCentroids(const Vocabulary &vocabulary)
        : words_(vocabulary.size()), dimensions_(vocabulary.dimensions),
          values_(round_up(words_, lanes) * dimensions_, infinity) {
        for (std::size_t j = 0; j < words_; ++j)
            for (std::size_t i = 0; i < dimensions_; ++i)
                values_[(j / lanes * dimensions_ + i) * lanes + j % lanes] = vocabulary.row(j)[i];
    }

    /// The word of x by a float32 search, or nothing where the bound does not prove it.
    std::optional<std::int32_t> screen(std::span<const float> x, const Bound &bound) const {
        LaneBests lane;
        HWY_DYNAMIC_DISPATCH(search_lanes)
        (x.data(), values_.data(), values_.size() / (lanes * dimensions_), dimensions_, lane);
        float best = infinity;
        float second = infinity;
        std::int32_t word = 0;
        for (std::size_t l = 0; l < lanes; ++l) {
            if (lane.best[l] < best) {
                second = std::min(best, lane.second[l]);
                best = lane.best[l];
                word =
                    lane.block[l] * static_cast<std::int32_t>(lanes) + static_cast<std::int32_t>(l);
            } else {
                second = std::min(second, lane.best[l]);
            }
        }
        const bool proven = second - best > bound.relative * (second + best) + bound.absolute;
        if (!proven && words_ > 1) return std::nullopt;
        return word;
    }

  private:
    std::size_t words_;
    std::size_t dimensions_;
    std::vector<float> values_; ///< [block][dimension][lane]
};

} // namespace

HostSearch make_openmp_search(const Vocabulary &vocabulary, int most_threads, double bound_scale) {
    const auto search = [&vocabulary, packed = PackedCentroids(vocabulary),
                         bound = float32_bound(vocabulary.dimensions, bound_scale)](
                            std::span<const float> values, std::span<std::int32_t> words,
                            int threads) {
        const std::size_t dimensions = vocabulary.dimensions;
        std::uint64_t unproven = 0;
        const auto rows = static_cast<std::ptrdiff_t>(words.size());
#pragma omp parallel num_threads(threads) reduction(+ : unproven)
        {
            const DefaultFloats floats; // of this thread
#pragma omp for schedule(static)
            for (std::ptrdiff_t r = 0; r < rows; ++r) {
                const auto row = static_cast<std::size_t>(r);
                const std::span<const float> x = values.subspan(row * dimensions, dimensions);
                const std::optional<std::int32_t> proven = packed.screen(x, bound);
                unproven += proven ? 0 : 1;
                words[row] = proven ? *proven : nearest(x, vocabulary);
            }
        }
        return unproven;
    };
    return {search,
            rows_for(comparisons_a_slice, least_rows_a_slice, vocabulary.size(), most_threads)};
}

} // namespace bowhist
#endif

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/host/host_search.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/round_up.hpp>

#include <array>
#include <cstring>
#include <limits>

namespace bowhist {
namespace {

// Of each thread.
constexpr std::size_t comparisons_a_slice = std::size_t{1} << 25;
constexpr std::size_t least_rows_a_slice = 8;

constexpr std::size_t lanes = 64; // of a block
constexpr float infinity = std::numeric_limits<float>::infinity();

// Sixteen lanes that the compiler keeps in registers: one of AVX-512, two of AVX, four of SSE.
using Floats = float __attribute__((vector_size(64)));
using Integers = std::int32_t __attribute__((vector_size(64)));
constexpr std::size_t vector_lanes = sizeof(Floats) / sizeof(float);
constexpr std::size_t vectors = lanes / vector_lanes;

/// For each lane, over the blocks: the best, the runner-up, and the best's block.
struct LaneBests {
    std::array<float, lanes> best;
    std::array<float, lanes> second;
    std::array<std::int32_t, lanes> block;
};

BOWHIST_FOR_EACH_CPU
void search_lanes(const float *x, const float *blocks, std::size_t block_count,
                  std::size_t dimensions, LaneBests &lane) {
    Floats best[vectors];
    Floats second[vectors];
    Integers block[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        best[v] = second[v] = Floats{} + infinity;
        block[v] = Integers{};
    }
    for (std::size_t b = 0; b < block_count; ++b) {
        const float *centroids = blocks + b * dimensions * lanes;
        Floats distance[vectors] = {};
        for (std::size_t i = 0; i < dimensions; ++i)
            for (std::size_t v = 0; v < vectors; ++v) {
                Floats difference;
                std::memcpy(&difference, centroids + i * lanes + v * vector_lanes, sizeof(Floats));
                difference = x[i] - difference;
                distance[v] += difference * difference;
            }
        for (std::size_t v = 0; v < vectors; ++v) {
            const auto nearer = distance[v] < best[v];
            const Floats loser = nearer ? best[v] : distance[v];
            second[v] = loser < second[v] ? loser : second[v];
            best[v] = nearer ? distance[v] : best[v];
            block[v] = nearer ? Integers{} + static_cast<std::int32_t>(b) : block[v];
        }
    }
    std::memcpy(lane.best.data(), best, sizeof best);
    std::memcpy(lane.second.data(), second, sizeof second);
    std::memcpy(lane.block.data(), block, sizeof block);
}

/// Centroids for a CPU's vector units: blocks of 64 words, dimension by dimension, so that one
/// vector holds the same dimension of neighbouring words. The last block is filled up with
/// infinity, which is never nearest.
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
        search_lanes(x.data(), values_.data(), values_.size() / (lanes * dimensions_), dimensions_,
                     lane);
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

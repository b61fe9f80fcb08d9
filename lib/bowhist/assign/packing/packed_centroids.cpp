#include <bowhist/assign/packing/packed_centroids.hpp>
#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/round_up.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t lanes = PackedCentroids::lanes;
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

} // namespace

PackedCentroids::PackedCentroids(const Vocabulary &vocabulary)
    : words_(vocabulary.size()), dimensions_(vocabulary.dimensions),
      values_(round_up(words_, lanes) * dimensions_, infinity) {
    for (std::size_t j = 0; j < words_; ++j)
        for (std::size_t i = 0; i < dimensions_; ++i)
            values_[(j / lanes * dimensions_ + i) * lanes + j % lanes] = vocabulary.row(j)[i];
}

std::optional<std::int32_t> PackedCentroids::screen(std::span<const float> x,
                                                    const Bound &bound) const {
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
            word = lane.block[l] * static_cast<std::int32_t>(lanes) + static_cast<std::int32_t>(l);
        } else {
            second = std::min(second, lane.best[l]);
        }
    }
    const bool proven = second - best > bound.relative * (second + best) + bound.absolute;
    if (!proven && words_ > 1) return std::nullopt;
    return word;
}

} // namespace bowhist

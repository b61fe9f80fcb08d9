#include <bowhist/assign/packed_centroids.hpp>

#include <algorithm>
#include <array>
#include <limits>

// One copy of the inner loop for each generation of vector units, chosen when the program starts.
// Not under sanitizers, which cannot instrument the chooser.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BOWHIST_FOR_EACH_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BOWHIST_FOR_EACH_CPU
#endif

namespace bowhist {
namespace {

constexpr std::size_t lanes = PackedCentroids::lanes;
constexpr float infinity = std::numeric_limits<float>::infinity();

/// For each lane, over the blocks: the best, the runner-up, and the best's block.
struct LaneBests {
    std::array<float, lanes> best;
    std::array<float, lanes> second;
    std::array<std::int32_t, lanes> block;
};

BOWHIST_FOR_EACH_CPU
void search_lanes(const float *x, const float *blocks, std::size_t block_count,
                  std::size_t dimensions, LaneBests &lane) {
    lane.best.fill(infinity);
    lane.second.fill(infinity);
    lane.block.fill(0);
    for (std::size_t b = 0; b < block_count; ++b) {
        const float *centroids = blocks + b * dimensions * lanes;
        std::array<float, lanes> distance{};
        for (std::size_t i = 0; i < dimensions; ++i)
            for (std::size_t l = 0; l < lanes; ++l) {
                const float difference = x[i] - centroids[i * lanes + l];
                distance[l] += difference * difference;
            }
        for (std::size_t l = 0; l < lanes; ++l) {
            lane.second[l] = std::min(lane.second[l], std::max(lane.best[l], distance[l]));
            lane.block[l] =
                distance[l] < lane.best[l] ? static_cast<std::int32_t>(b) : lane.block[l];
            lane.best[l] = std::min(lane.best[l], distance[l]);
        }
    }
}

} // namespace

PackedCentroids::PackedCentroids(const Vocabulary &vocabulary)
    : words_(vocabulary.size()), dimensions_(vocabulary.dimensions),
      values_((words_ + lanes - 1) / lanes * lanes * dimensions_, infinity) {
    for (std::size_t j = 0; j < words_; ++j)
        for (std::size_t i = 0; i < dimensions_; ++i)
            values_[(j / lanes * dimensions_ + i) * lanes + j % lanes] = vocabulary.row(j)[i];
}

std::optional<std::int32_t> PackedCentroids::screen(std::span<const float> x,
                                                    const Bound &bound) const {
    LaneBests lane;
    search_lanes(x.data(), values_.data(), values_.size() / (lanes * dimensions_), dimensions_,
                 lane);
    const std::size_t winner =
        static_cast<std::size_t>(std::ranges::min_element(lane.best) - lane.best.begin());
    const float best = lane.best[winner];
    float second = lane.second[winner];
    for (std::size_t l = 0; l < lanes; ++l)
        if (l != winner) second = std::min(second, lane.best[l]);
    const bool proven = second - best > bound.relative * (second + best) + bound.absolute;
    if (!proven && words_ > 1) return std::nullopt;
    return static_cast<std::int32_t>(static_cast<std::size_t>(lane.block[winner]) * lanes + winner);
}

} // namespace bowhist

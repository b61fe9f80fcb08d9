// Built with -ffp-contract=off (lib/CMakeLists.txt): a fused multiply-add would make the draw
// depend on the machine.
#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/train/draw.hpp>
#include <bowhist/train/fixed_point.hpp>
#include <bowhist/train/seeding.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t most_draws = 8; ///< candidates that are tried together: one vector
using Distances = std::array<float, most_draws>;
using Gains = std::array<std::int64_t, most_draws>;
using Vector = float __attribute__((vector_size(most_draws * sizeof(float))));

/// Squared distances of one row to the candidates, which lie [dimension][candidate].
BOWHIST_FOR_EACH_CPU
void distances_to(const float *row, const float *candidates, std::size_t dimensions,
                  Distances &distances) {
    Vector sum = {};
    for (std::size_t i = 0; i < dimensions; ++i) {
        Vector difference;
        std::memcpy(&difference, candidates + i * most_draws, sizeof(Vector));
        difference = row[i] - difference;
        sum += difference * difference;
    }
    constexpr float largest = std::numeric_limits<float>::max();
    sum = sum < largest ? sum : Vector{} + largest; // potentials must be finite
    std::memcpy(distances.data(), &sum, sizeof sum);
}

class Seeding {
  public:
    Seeding(const Descriptors &descriptors, std::uint64_t seed)
        : descriptors_(descriptors), engine_(seed), fixed_(1, 1),
          nearest_(descriptors.size(), std::numeric_limits<float>::infinity()),
          potential_(descriptors.size(), 0) {}

    void first() {
        const std::size_t row = draw_below(engine_, descriptors_.size());
        std::vector<float> distances(nearest_.size());
        const Candidates candidates = pack({row});
        tbb::parallel_for(rows(), [&](const auto &range) {
            const DefaultFloats floats; // of this thread
            for (std::size_t r = range.begin(); r < range.end(); ++r)
                distances[r] = to_candidates(r, candidates)[0];
        });
        fixed_ = FixedPoint(*std::ranges::max_element(distances), nearest_.size());
        take(row, candidates, 0);
    }

    void next(std::size_t draws) {
        const std::vector<std::size_t> drawn = draw_rows(draws);
        const Candidates candidates = pack(drawn);
        const Gains gains = gains_of(candidates);
        const auto best = static_cast<std::size_t>(std::ranges::max_element(gains) - gains.begin());
        take(drawn[std::min(best, draws - 1)], candidates, best);
    }

    Vocabulary centroids() && { return std::move(centroids_); }

  private:
    using Candidates = std::vector<float>; ///< [dimension][candidate]

    tbb::blocked_range<std::size_t> rows() const { return {0, descriptors_.size(), 1024}; }

    /// Makes a row, which is one of the candidates, the next centroid.
    void take(std::size_t row, const Candidates &candidates, std::size_t candidate) {
        centroids_.dimensions = descriptors_.dimensions;
        const auto values = descriptors_.row(row);
        centroids_.values.insert(centroids_.values.end(), values.begin(), values.end());
        tbb::parallel_for(rows(), [&](const auto &range) {
            const DefaultFloats floats; // of this thread
            for (std::size_t r = range.begin(); r < range.end(); ++r) {
                const float distance = to_candidates(r, candidates)[candidate];
                if (distance >= nearest_[r]) continue;
                nearest_[r] = distance;
                potential_[r] = fixed_.from(distance);
            }
        });
    }

    /// Fewer candidates than a vector holds are filled up with the last one.
    Candidates pack(const std::vector<std::size_t> &drawn) const {
        Candidates candidates(descriptors_.dimensions * most_draws);
        for (std::size_t c = 0; c < most_draws; ++c) {
            const auto values = descriptors_.row(drawn[std::min(c, drawn.size() - 1)]);
            for (std::size_t i = 0; i < values.size(); ++i)
                candidates[i * most_draws + c] = values[i];
        }
        return candidates;
    }

    Distances to_candidates(std::size_t row, const Candidates &candidates) const {
        Distances distances{};
        distances_to(descriptors_.row(row).data(), candidates.data(), descriptors_.dimensions,
                     distances);
        return distances;
    }

    std::vector<std::size_t> draw_rows(std::size_t draws) {
        std::int64_t total = 0;
        for (const std::int64_t potential : potential_) total += potential;
        std::vector<std::uint64_t> targets(draws);
        for (std::uint64_t &target : targets)
            target = total == 0 ? 0 : draw_below(engine_, static_cast<std::uint64_t>(total));
        std::ranges::sort(targets);
        std::vector<std::size_t> drawn;
        std::uint64_t below = 0;
        for (std::size_t row = 0; row < potential_.size() && drawn.size() < draws; ++row) {
            below += static_cast<std::uint64_t>(potential_[row]);
            while (drawn.size() < draws && targets[drawn.size()] < below) drawn.push_back(row);
        }
        // Every descriptor is a centroid already: any row is as good as another.
        if (drawn.size() < draws) drawn.resize(draws, draw_below(engine_, potential_.size()));
        return drawn;
    }

    /// By how much each candidate would lower the sum of the squared distances.
    Gains gains_of(const Candidates &candidates) const {
        return tbb::parallel_reduce(
            rows(), Gains{},
            [&](const auto &range, Gains gains) {
                const DefaultFloats floats; // of this thread
                for (std::size_t r = range.begin(); r < range.end(); ++r) {
                    const Distances distances = to_candidates(r, candidates);
                    for (std::size_t c = 0; c < most_draws; ++c)
                        if (distances[c] < nearest_[r])
                            gains[c] += potential_[r] - fixed_.from(distances[c]);
                }
                return gains;
            },
            [](Gains a, const Gains &b) {
                std::ranges::transform(a, b, a.begin(), std::plus{});
                return a;
            });
    }

    const Descriptors &descriptors_;
    std::mt19937_64 engine_;
    FixedPoint fixed_;
    std::vector<float> nearest_; ///< each row's squared distance to the nearest centroid so far
    std::vector<std::int64_t> potential_; ///< the same in fixed point
    Vocabulary centroids_;
};

} // namespace

Vocabulary seed_centroids(const Descriptors &descriptors, std::size_t k, std::uint64_t seed,
                          Observer &observer) {
    const auto draws = std::min(most_draws, 2 + static_cast<std::size_t>(std::log(k)));
    Seeding seeding(descriptors, seed);
    seeding.first();
    for (std::size_t j = 1; j < k; ++j) {
        observer.stop_if_interrupted();
        seeding.next(draws);
        observer.progress("starting words", j + 1, k);
    }
    return std::move(seeding).centroids();
}

} // namespace bowhist

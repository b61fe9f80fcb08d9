// Built as the rule is, with -ffp-contract=off (lib/CMakeLists.txt).
#include "bench/cases/vector_rule.hpp"

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/round_up.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t lanes = 8;
constexpr std::size_t vectors = 4; // sums that do not wait for each other
constexpr std::size_t block = vectors * lanes;
using Doubles = double __attribute__((vector_size(lanes * sizeof(double))));
using Floats = float __attribute__((vector_size(lanes * sizeof(float))));

/// The squared distances of a row to a block of words.
BOWHIST_FOR_EACH_CPU
void measure(std::span<const float> row, const float *centroids,
             std::array<double, block> &distances) {
    Doubles sums[vectors] = {};
    for (const float value : row)
        for (Doubles &sum : sums) {
            Floats values;
            std::memcpy(&values, centroids, sizeof values);
            centroids += lanes;
            const Doubles difference =
                static_cast<double>(value) - __builtin_convertvector(values, Doubles);
            const Doubles square = difference * difference;
            sum = sum + square;
        }
    std::memcpy(distances.data(), sums, sizeof sums);
}

} // namespace

VectorRule::VectorRule(const Vocabulary &vocabulary)
    : k_(vocabulary.size()), dimensions_(vocabulary.dimensions),
      centroids_(round_up(k_, block) * dimensions_) {
    for (std::size_t word = 0; word < k_; ++word)
        for (std::size_t i = 0; i < dimensions_; ++i)
            centroids_[(word / block * dimensions_ + i) * block + word % block] =
                vocabulary.row(word)[i];
}

void VectorRule::find(std::span<const float> rows, std::span<std::int32_t> words) const {
    const DefaultFloats floats;
    find_guarded(rows, words);
}

/// Out of line, so that none of it is moved past the guard.
[[gnu::noinline]] void VectorRule::find_guarded(std::span<const float> rows,
                                                std::span<std::int32_t> words) const {
    std::vector<double> best(words.size(), std::numeric_limits<double>::infinity());
    std::ranges::fill(words, 0);
    std::array<double, block> distances;
    for (std::size_t first = 0; first < k_; first += block)
        for (std::size_t row = 0; row < words.size(); ++row) {
            measure(rows.subspan(row * dimensions_, dimensions_),
                    centroids_.data() + first * dimensions_, distances);
            for (std::size_t j = 0; j < std::min(block, k_ - first); ++j)
                if (distances[j] < best[row]) {
                    best[row] = distances[j];
                    words[row] = static_cast<std::int32_t>(first + j);
                }
        }
}

} // namespace bowhist

#pragma once

#include <bowhist/assign/rule.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace bowhist::testing {

/// Whole numbers of a few values tie often.
inline std::vector<float> draw_whole(std::size_t count, int values, float unit, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<float> drawn(count);
    for (float &value : drawn)
        value = static_cast<float>(static_cast<int>(engine() % static_cast<unsigned>(values)) -
                                   values / 2) *
                unit;
    return drawn;
}

/// All words by the rule, sorted.
inline std::vector<std::int32_t> nearest_by_rule(const std::vector<float> &rows,
                                                 const Vocabulary &words, std::size_t m) {
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < rows.size(); i += words.dimensions) {
        const auto row = std::span(rows).subspan(i, words.dimensions);
        std::vector<double> distances;
        for (std::size_t j = 0; j < words.size(); ++j)
            distances.push_back(squared_distance(row, words.row(j)));
        std::vector<std::int32_t> order(words.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](std::int32_t word) {
            return distances[static_cast<std::size_t>(word)];
        });
        all.insert(all.end(), order.begin(),
                   order.begin() + static_cast<std::ptrdiff_t>(std::min(m, words.size())));
    }
    return all;
}

} // namespace bowhist::testing

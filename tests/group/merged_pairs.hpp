#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace bowhist::testing {

using Group = std::vector<std::size_t>; // rows

/// The definition of merging: from one group a row to `count`, of all pairs the one that costs
/// least, again and again.
template <typename Cost>
std::set<Group> merged_pairs(std::size_t rows, std::size_t count, const Cost &cost) {
    std::vector<Group> groups;
    for (std::size_t row = 0; row < rows; ++row) groups.push_back({row});
    while (groups.size() > count) {
        double least = std::numeric_limits<double>::infinity();
        std::pair<std::size_t, std::size_t> best;
        for (std::size_t b = 1; b < groups.size(); ++b)
            for (std::size_t a = 0; a < b; ++a) {
                const double costs = cost(groups[a], groups[b]);
                if (costs < least) {
                    least = costs;
                    best = {a, b};
                }
            }
        Group &kept = groups[best.first];
        const Group &gone = groups[best.second];
        kept.insert(kept.end(), gone.begin(), gone.end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(best.second));
    }
    for (Group &group : groups) std::ranges::sort(group);
    return {groups.begin(), groups.end()};
}

inline std::set<Group> as_sets(const std::vector<std::uint32_t> &group) {
    std::vector<Group> groups(std::ranges::max(group) + 1);
    for (std::size_t row = 0; row < group.size(); ++row) groups[group[row]].push_back(row);
    return {groups.begin(), groups.end()};
}

} // namespace bowhist::testing

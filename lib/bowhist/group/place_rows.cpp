#include <bowhist/core/default_floats.hpp>
#include <bowhist/group/centers.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/neighbors.hpp>

#include <algorithm>
#include <map>

namespace bowhist {
namespace {

constexpr std::int32_t open = -2; ///< the group of an image that is not placed yet

/// The group of most neighbors that are placed, of equal ones that of the nearest.
std::int32_t most_frequent(std::span<const Neighbor> neighbors,
                           const std::vector<std::int32_t> &groups) {
    std::map<std::int32_t, std::size_t> counts;
    std::size_t most = 0;
    for (const Neighbor &neighbor : neighbors)
        if (const std::int32_t group = groups[neighbor.row]; group >= 0)
            most = std::max(most, ++counts[group]);
    for (const Neighbor &neighbor : neighbors)
        if (const std::int32_t group = groups[neighbor.row]; group >= 0 && counts[group] == most)
            return group;
    return open;
}

/// Places the open ones beside those that are placed. @return whether any was
bool place(const Neighbors &neighbors, std::vector<std::int32_t> &groups) {
    const std::vector<std::int32_t> before = groups;
    for (std::size_t row = 0; row < groups.size(); ++row)
        if (before[row] == open) groups[row] = most_frequent(neighbors.of(row), before);
    return groups != before;
}

} // namespace

Grouping place_rows(const IntegerRows &rows, std::vector<std::int32_t> groups,
                    const std::vector<bool> &is_new, const FindNeighbors &find_neighbors,
                    Observer &observer) {
    const DefaultFloats floats;
    const Neighbors neighbors = find_neighbors(rows, neighbors_for(rows.size()), observer);
    for (std::size_t row = 0; row < groups.size(); ++row)
        if (is_new[row]) groups[row] = open;
    while (place(neighbors, groups)) observer.stop_if_interrupted();
    std::ranges::replace(groups, open, Grouping::nowhere);
    Grouping grouping;
    grouping.groups = static_cast<std::size_t>(std::ranges::max(groups) + 1);
    grouping.group = std::move(groups);
    measure(rows, grouping);
    return grouping;
}

} // namespace bowhist

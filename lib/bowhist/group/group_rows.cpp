#include <bowhist/core/counted.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/group/centers.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/levels.hpp>
#include <bowhist/group/method_groups.hpp>
#include <bowhist/group/neighbors.hpp>
#include <bowhist/group/outliers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace bowhist {
namespace {

/// Renumbers groups: the largest first, of equal ones the one whose first image comes first.
std::size_t largest_first(std::vector<std::int32_t> &group) {
    const auto count = static_cast<std::size_t>(std::ranges::max(group) + 1);
    std::vector<std::size_t> size(count, 0);
    std::vector<std::size_t> first(count, group.size());
    for (std::size_t image = group.size(); image-- > 0;) {
        if (group[image] < 0) continue;
        ++size[static_cast<std::size_t>(group[image])];
        first[static_cast<std::size_t>(group[image])] = image;
    }
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t one) { return size[one] == 0; });
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return size[a] != size[b] ? size[a] > size[b] : first[a] < first[b];
    });
    std::vector<std::int32_t> number(count, Grouping::nowhere);
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<std::int32_t>(i);
    for (std::int32_t &one : group)
        if (one >= 0) one = number[static_cast<std::size_t>(one)];
    return order.size();
}

MethodGroups groups_of(const DistinctRows &distinct, const GroupRequest &request,
                       const Graph &graph, Observer &observer) {
    switch (request.method) {
    case GroupMethod::leiden:
        return leiden_groups(graph, request, observer);
    case GroupMethod::kmeans:
        return kmeans_groups(distinct, request, observer);
    default:
        return linkage_groups(distinct, request, observer);
    }
}

bool needs_neighbors(const GroupRequest &request) {
    return request.method == GroupMethod::leiden || request.outliers || request.levels ||
           request.tree;
}

/// An image with copies has others that are like it.
void leave_out(const std::vector<bool> &outliers, const DistinctRows &distinct,
               LevelLabels &groups) {
    for (std::size_t row = 0; row < groups.size(); ++row) {
        const bool zeros =
            std::ranges::all_of(distinct.rows.row(row), [](auto x) { return x == 0; });
        if (outliers[row] && (zeros || distinct.counts[row] == 1)) groups[row] = Grouping::nowhere;
    }
}

std::vector<std::int32_t> of_images(const DistinctRows &distinct, const LevelLabels &labels) {
    std::vector<std::int32_t> result;
    for (const std::uint32_t row : distinct.of_row) result.push_back(labels[row]);
    return result;
}

Tree make_tree(const DistinctRows &distinct, const std::vector<Merge> &merges,
             const Grouping &grouping) {
    if (!merges.empty()) {
        LevelLabels row_of(distinct.of_row.begin(), distinct.of_row.end());
        for (std::size_t image = 0; image < row_of.size(); ++image)
            if (grouping.group[image] < 0) row_of[image] = Grouping::nowhere;
        return tree_of(merges, row_of);
    }
    std::vector<LevelLabels> levels = {grouping.group};
    levels.insert(levels.end(), grouping.levels.begin(), grouping.levels.end());
    return tree_of(levels);
}

void check(const IntegerRows &rows, const GroupRequest &request) {
    if (rows.size() == 0)
        throw Error(Fault::input, "there are no pictures to group; give histograms of some");
    if (rows.size() < request.groups)
        throw Error(Fault::input, fmt::format("{} cannot make {} groups; choose a smaller -k",
                                              counted(rows.size(), "picture"), request.groups));
    if (request.groups == 0 && request.method != GroupMethod::leiden)
        throw Error(Fault::usage, "only leiden finds the number of groups; give it with -k");
}

} // namespace

std::size_t neighbors_for(std::size_t rows) {
    constexpr std::size_t most = 10;
    std::size_t root = 1;
    while (root < most && (root + 1) * (root + 1) <= rows) ++root;
    return root;
}

Grouping group_rows(const IntegerRows &rows, const GroupRequest &request, Observer &observer) {
    const DefaultFloats floats;
    check(rows, request);
    const DistinctRows distinct = distinct_rows(rows);
    GroupRequest possible = request;
    possible.groups = std::min(request.groups, distinct.rows.size());
    Neighbors neighbors;
    if (needs_neighbors(request))
        neighbors = nearest_neighbors(distinct.rows, neighbors_for(distinct.rows.size()), observer);
    const Graph graph = neighbor_graph(neighbors);
    const MethodGroups made = groups_of(distinct, possible, graph, observer);

    LevelLabels groups(made.labels.begin(), made.labels.end());
    if (request.outliers) leave_out(find_outliers(neighbors), distinct, groups);
    Grouping grouping;
    grouping.group = of_images(distinct, groups);
    grouping.groups = largest_first(grouping.group);
    for (std::size_t image = 0; image < grouping.group.size(); ++image)
        groups[distinct.of_row[image]] = grouping.group[image];
    const bool merged = !made.merges.empty();
    if (request.levels || (request.tree && !merged)) {
        const auto levels =
            merged ? levels_of(made.merges, groups) : levels_of(graph, groups, observer);
        for (const LevelLabels &level : levels)
            grouping.levels.push_back(of_images(distinct, level));
    }
    if (request.tree) grouping.tree = make_tree(distinct, made.merges, grouping);
    grouping.modularity = made.modularity;
    grouping.resolution = made.resolution;
    grouping.report = made.report;
    measure(rows, grouping);
    return grouping;
}

} // namespace bowhist

#include <bowhist/group/communities.hpp>
#include <bowhist/group/levels.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace bowhist {
namespace {

using Members = std::vector<std::vector<std::uint32_t>>;

Members members_of(const LevelLabels &labels) {
    Members members(static_cast<std::size_t>(std::ranges::max(labels) + 1));
    for (std::uint32_t node = 0; node < labels.size(); ++node)
        members[static_cast<std::size_t>(labels[node])].push_back(node);
    return members;
}

/// Divides every group, as `divide` does its members, and numbers the parts through.
template <class Divide>
LevelLabels divided(const LevelLabels &groups, Divide &&divide) {
    LevelLabels parts(groups.size());
    std::int32_t next = 0;
    for (const auto &nodes : members_of(groups)) {
        std::map<std::uint32_t, std::int32_t> numbers;
        const std::vector<std::uint32_t> labels = divide(nodes);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto [found, is_new] = numbers.emplace(labels[i], next);
            if (is_new) ++next;
            parts[nodes[i]] = found->second;
        }
    }
    return parts;
}

/// Numbers may leave gaps.
std::size_t groups_in(const LevelLabels &labels) {
    return std::set<std::int32_t>(labels.begin(), labels.end()).size();
}

/// Whether no group was divided.
bool settled(const LevelLabels &before, const LevelLabels &after) {
    return groups_in(before) == groups_in(after);
}

/// The rows' groups once all merges of at most this cost were carried out.
std::vector<std::uint32_t> cut_at(const std::vector<Merge> &merges, float cost) {
    const auto above = std::ranges::upper_bound(merges, cost, {}, &Merge::cost);
    return cut(merges, 1 + static_cast<std::size_t>(merges.end() - above));
}

} // namespace

std::vector<LevelLabels> levels_of(const Graph &graph, const LevelLabels &groups,
                                   Observer &observer) {
    std::vector<LevelLabels> levels;
    LevelLabels above = groups;
    PartsOfGraph parts_of_graph(graph);
    while (levels.size() < most_levels && !above.empty()) {
        LevelLabels parts = divided(above, [&](const std::vector<std::uint32_t> &nodes) {
            if (nodes.size() <= least_divided) return std::vector<std::uint32_t>(nodes.size(), 0);
            return communities(parts_of_graph.part(nodes), {}, observer);
        });
        if (settled(above, parts)) break;
        levels.push_back(parts);
        above = std::move(parts);
    }
    return levels;
}

std::vector<LevelLabels> levels_of(const std::vector<Merge> &merges, const LevelLabels &groups) {
    std::vector<LevelLabels> levels;
    LevelLabels above = groups;
    while (levels.size() < most_levels && !above.empty()) {
        float most = 0; // of the merges inside the groups
        for (const Merge &merge : merges)
            if (above[merge.kept] == above[merge.gone]) most = std::max(most, merge.cost);
        if (most == 0) break;
        const auto rows = cut_at(merges, most / 4);
        LevelLabels parts = divided(above, [&](const std::vector<std::uint32_t> &nodes) {
            std::vector<std::uint32_t> labels;
            for (const std::uint32_t node : nodes) labels.push_back(rows[node]);
            return labels;
        });
        if (settled(above, parts)) break;
        levels.push_back(parts);
        above = std::move(parts);
    }
    return levels;
}

Tree tree_of(const std::vector<LevelLabels> &levels) {
    const std::size_t images = levels.front().size();
    Tree tree;
    for (std::size_t image = 0; image < images; ++image) tree.add(0);
    std::vector<std::uint32_t> below(images); // the highest node of each image so far
    std::iota(below.begin(), below.end(), 0U);
    for (std::size_t level = levels.size(); level-- > 0;) {
        const LevelLabels &labels = levels[level];
        std::map<std::int32_t, std::uint32_t> nodes;
        for (std::size_t image = 0; image < images; ++image) {
            if (labels[image] < 0) continue;
            const auto [found, is_new] = nodes.emplace(labels[image], 0);
            if (is_new) found->second = tree.add(static_cast<double>(levels.size() - level));
            tree.parents[below[image]] = found->second;
            below[image] = found->second;
        }
    }
    const std::uint32_t root = tree.add(static_cast<double>(levels.size() + 1));
    for (const std::uint32_t node : below) tree.parents[node] = root;
    return tree;
}

Tree tree_of(const std::vector<Merge> &merges, const LevelLabels &of_image) {
    Tree tree;
    for (std::size_t image = 0; image < of_image.size(); ++image) tree.add(0);
    const std::size_t rows = merges.size() + 1;
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> top(rows, none); // the highest node of the group that a row names
    std::vector<std::uint32_t> apart;           // images that hang from the root
    for (std::uint32_t image = 0; image < of_image.size(); ++image) {
        if (of_image[image] < 0) {
            apart.push_back(image);
            continue;
        }
        std::uint32_t &node = top[static_cast<std::size_t>(of_image[image])];
        if (node == none) {
            node = image;
        } else { // a copy
            if (node < of_image.size()) {
                const std::uint32_t first = node;
                node = tree.add(0);
                tree.parents[first] = node;
            }
            tree.parents[image] = node;
        }
    }
    for (const Merge &merge : merges) {
        std::uint32_t &kept = top[merge.kept];
        const std::uint32_t gone = top[merge.gone];
        if (gone == none) continue;
        if (kept == none) {
            kept = gone;
            continue;
        }
        // costs ascend but for rounding
        const double height =
            std::max({static_cast<double>(merge.cost), tree.heights[kept], tree.heights[gone]});
        const std::uint32_t node = tree.add(height);
        tree.parents[kept] = tree.parents[gone] = node;
        kept = node;
    }
    const std::uint32_t last = tree.heights.empty() ? 0 : std::uint32_t(tree.parents.size() - 1);
    if (!apart.empty() || last < of_image.size()) {
        const std::uint32_t root = tree.add(tree.heights[last]);
        for (std::uint32_t node = 0; node < root; ++node)
            if (tree.parents[node] == node) tree.parents[node] = root;
    }
    return tree;
}

} // namespace bowhist

#include <bowhist/group/graph.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace bowhist {
namespace {

constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

/// Lists to fill, of `lengths[node]` places each.
struct Lists {
    explicit Lists(const std::vector<std::size_t> &lengths) {
        starts.reserve(lengths.size() + 1);
        for (const std::size_t length : lengths) starts.push_back(starts.back() + length);
        places = starts;
        targets.resize(starts.back());
    }

    void add(std::size_t node, std::size_t target) {
        targets[places[node]++] = static_cast<std::uint32_t>(target);
    }

    std::vector<std::size_t> starts = {0};
    std::vector<std::size_t> places; ///< where each list continues
    std::vector<std::uint32_t> targets;
};

} // namespace

Graph neighbor_graph(const Neighbors &neighbors) {
    const std::size_t nodes = neighbors.size();
    std::vector<std::size_t> lengths(nodes, 0);
    for (std::size_t node = 0; node < nodes; ++node)
        for (const Neighbor &one : neighbors.of(node)) {
            ++lengths[node];
            ++lengths[one.row];
        }
    Lists lists(lengths);
    for (std::size_t node = 0; node < nodes; ++node)
        for (const Neighbor &one : neighbors.of(node)) {
            lists.add(node, one.row);
            lists.add(one.row, node);
        }
    Graph graph;
    graph.targets = std::move(lists.targets);
    auto end = graph.targets.begin();
    for (std::size_t node = 0; node < nodes; ++node) {
        const auto first = graph.targets.begin() + static_cast<std::ptrdiff_t>(lists.starts[node]);
        const auto last =
            graph.targets.begin() + static_cast<std::ptrdiff_t>(lists.starts[node + 1]);
        std::sort(first, last);
        end = std::copy(first, std::unique(first, last), end);
        graph.starts.push_back(static_cast<std::size_t>(end - graph.targets.begin()));
        graph.strengths.push_back(
            static_cast<std::int64_t>(graph.starts[node + 1] - graph.starts[node]));
    }
    graph.targets.erase(end, graph.targets.end());
    graph.targets.shrink_to_fit();
    graph.total = static_cast<std::int64_t>(graph.targets.size());
    return graph;
}

PartsOfGraph::PartsOfGraph(const Graph &graph) : graph_(graph), numbers_(graph.size(), absent) {}

Graph PartsOfGraph::part(std::span<const std::uint32_t> nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
        numbers_[nodes[i]] = static_cast<std::uint32_t>(i);
    Graph part;
    for (const std::uint32_t node : nodes) {
        std::int64_t strength = 0;
        for (std::size_t place = graph_.starts[node]; place < graph_.starts[node + 1]; ++place) {
            const std::uint32_t target = numbers_[graph_.targets[place]];
            if (target == absent) continue;
            part.targets.push_back(target);
            if (!graph_.weights.empty()) part.weights.push_back(graph_.weights[place]);
            strength += graph_.weight(place);
        }
        part.starts.push_back(part.targets.size());
        part.strengths.push_back(strength);
        part.total += strength;
    }
    for (const std::uint32_t node : nodes) numbers_[node] = absent;
    return part;
}

} // namespace bowhist

#pragma once

#include <bowhist/group/graph.hpp>
#include <bowhist/group/leiden.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace bowhist::testing {

using Edges = std::set<std::pair<std::uint32_t, std::uint32_t>>; // first < second

inline Graph graph_of(std::size_t nodes, const Edges &edges) {
    std::vector<std::vector<std::uint32_t>> lists(nodes);
    for (const auto &[a, b] : edges) {
        lists[a].push_back(b);
        lists[b].push_back(a);
    }
    Graph graph;
    for (const auto &list : lists) {
        graph.targets.insert(graph.targets.end(), list.begin(), list.end());
        graph.starts.push_back(graph.targets.size());
        graph.strengths.push_back(static_cast<std::int64_t>(list.size()));
    }
    graph.total = static_cast<std::int64_t>(graph.targets.size());
    return graph;
}

inline Edges random_edges(std::uint32_t nodes, std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    Edges edges;
    while (edges.size() < count) {
        const auto a = static_cast<std::uint32_t>(engine() % nodes);
        const auto b = static_cast<std::uint32_t>(engine() % nodes);
        if (a != b) edges.insert(std::minmax(a, b));
    }
    return edges;
}

inline bool connected(const Graph &graph, const Labels &labels) {
    std::vector<bool> reached(graph.size(), false);
    std::set<std::uint32_t> begun;
    for (std::uint32_t start = 0; start < graph.size(); ++start) {
        if (reached[start]) continue;
        if (!begun.insert(labels[start]).second) return false;
        std::vector<std::uint32_t> waiting = {start};
        reached[start] = true;
        while (!waiting.empty()) {
            const std::uint32_t node = waiting.back();
            waiting.pop_back();
            for (const std::uint32_t other : graph.of(node))
                if (!reached[other] && labels[other] == labels[node]) {
                    reached[other] = true;
                    waiting.push_back(other);
                }
        }
    }
    return true;
}

} // namespace bowhist::testing

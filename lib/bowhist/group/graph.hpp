#pragma once

#include <bowhist/group/neighbors.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// An undirected graph whose edges weigh whole numbers. Each edge stands in the lists of both its
/// ends. Edges from a node to itself have no list; strengths alone count them.
struct Graph {
    std::vector<std::size_t> starts = {0}; ///< size() + 1: where each node's list starts
    std::vector<std::uint32_t> targets = {};
    std::vector<std::int64_t> weights = {};   ///< of each target; empty: 1 each
    std::vector<std::int64_t> strengths = {}; ///< of each node: the weights of its edges together
    std::int64_t total = 0;                   ///< strengths together: twice the edges' weights

    std::size_t size() const { return starts.size() - 1; }
    std::span<const std::uint32_t> of(std::size_t node) const {
        return std::span(targets).subspan(starts[node], starts[node + 1] - starts[node]);
    }
    std::int64_t weight(std::size_t place) const { return weights.empty() ? 1 : weights[place]; }
};

/// Joins two rows, with weight 1, if either is among the other's neighbors. Lists ascend.
Graph neighbor_graph(const Neighbors &neighbors);

/// Takes parts out of a graph, one after another, each in time proportional to itself.
class PartsOfGraph {
  public:
    /// @param graph  outlives this object
    explicit PartsOfGraph(const Graph &graph);

    /// The graph of some nodes, in this order, and the edges among them.
    Graph part(std::span<const std::uint32_t> nodes);

  private:
    const Graph &graph_;
    std::vector<std::uint32_t> numbers_; ///< of each node in the part; between two parts unused
};

} // namespace bowhist

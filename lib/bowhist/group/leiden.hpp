#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/communities.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace bowhist {

/// Each node's community, in [0, size()); some numbers may be unused.
using Labels = std::vector<std::uint32_t>;

/// Renumbers labels to 0, 1 … in the order of their first nodes. Returns their number.
std::size_t renumber(Labels &labels);

/// The numbers below `count`, shuffled.
std::vector<std::uint32_t> draw_order(std::size_t count, std::mt19937_64 &engine);

/// The steps of the Leiden algorithm on one graph, in the orders that an engine draws.
struct LeidenStep {
    const Graph &graph;
    Gains gains; ///< in units of the first graph, whose total the aggregated ones keep
    std::mt19937_64 &engine;
    const Observer &observer;
};

/// Moves nodes to the communities where modularity gains most, until no node gains: the nodes wait
/// in a queue, and a move puts the neighbors into it again.
void move_nodes(const LeidenStep &step, Labels &labels);

/// Divides each community into parts that hang together well: from single nodes, each, if still
/// alone, joins the part where it gains most.
/// @return each node's part
Labels refine(const LeidenStep &step, const Labels &labels);

/// The graph whose nodes are the parts.
/// @param parts  numbered 0, 1 … up to `count`
Graph aggregate(const Graph &graph, const Labels &parts, std::size_t count);

/// One iteration of the whole: improves labels, never worsens them.
void improve(const LeidenStep &step, Labels &labels);

} // namespace bowhist

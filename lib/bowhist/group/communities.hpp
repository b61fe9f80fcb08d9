#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/modularity.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// The communities of a graph: its division of the highest modularity that the Leiden algorithm
/// finds (Traag, Waltman and van Eck, "From Louvain to Leiden", 2019). It is run in a few orders of
/// the nodes (10; fewer of more than 200 000 nodes, at least 2), six times each or until it no
/// longer gains. The best result, of equal ones that of the first order, is improved further.
///
/// All comparisons are of whole numbers and the orders are fixed: the result is the same on every
/// machine. Orders run on all threads. Takes about 100 bytes for each node and 20 for each edge,
/// for each thread. Reports progress as "orders".
/// @return each node's community: 0, 1 …, in the order of their first nodes
/// @throws Error{Fault::interrupted}
std::vector<std::uint32_t> communities(const Graph &graph, const Resolution &resolution,
                                       Observer &observer);

/// The same of one order, improved three times: to look for a resolution.
std::vector<std::uint32_t> quick_communities(const Graph &graph, const Resolution &resolution,
                                             const Observer &observer);

} // namespace bowhist

#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/graph.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/int128.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Compares modularities (Newman and Girvan 2004; with a resolution, Reichardt and Bornholdt 2006)
/// in whole numbers: all are of one graph, and multiplied by total²·10⁶. For totals below 2³⁵ (10⁹
/// rows with 10 neighbors each) that is below 2⁹⁰, and below 2¹¹⁰ at the highest resolution.
struct Gains {
    Gains(const Graph &graph, const Resolution &resolution)
        : of_weight(Int128{graph.total} * Resolution::one), of_strengths(resolution.millionths) {}

    /// Half of what modularity gains by adding a node, or a community, to another.
    /// @param weight  of the edges between the two; the others are their strengths
    Int128 joining(std::int64_t weight, std::int64_t strength, std::int64_t other) const {
        return of_weight * weight - Int128{strength} * other * of_strengths;
    }

    Int128 of_weight;
    std::int64_t of_strengths;
};

/// The modularity of a division into communities, times total²·10⁶.
/// @param community  each node's, in [0, size())
Int128 scaled_modularity(const Graph &graph, std::span<const std::uint32_t> community,
                         const Resolution &resolution);

/// The same as a number, at most 1; of a graph without edges 0.
double modularity(const Graph &graph, std::span<const std::uint32_t> community,
                  const Resolution &resolution);

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

#pragma once

#include <bowhist/group/communities.hpp>

namespace bowhist {

/// A graph divided, and the resolution at which it was.
struct DividedGraph {
    std::vector<std::uint32_t> labels; ///< 0, 1 …, in the order of their first nodes
    Resolution resolution;
};

/// Divides a graph into exactly `groups` communities: at the resolution, found by bisection, that
/// gives them or nearly so. Communities beyond `groups` are merged, two by two, where modularity
/// loses least; while there are fewer, the largest, of equal ones the first, is divided on its own.
/// Reports progress as "resolutions".
/// @param groups  from 1 to the number of nodes
DividedGraph divide_into(const Graph &graph, std::size_t groups, Observer &observer);

/// Merges communities, two at a time, until `groups` are left: those whose union loses least
/// modularity, of equal ones the pair that comes first.
void merge_communities(const Graph &graph, const Resolution &resolution, std::size_t groups,
                       std::vector<std::uint32_t> &labels, const Observer &observer);

} // namespace bowhist

#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/group/distinct_rows.hpp>
#include <bowhist/group/graph.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/linkage.hpp>

namespace bowhist {

/// The groups that a method made of distinct rows.
struct MethodGroups {
    std::vector<std::uint32_t> labels; ///< of each distinct row: 0, 1 …, in no order
    std::optional<double> modularity = {};
    std::optional<Resolution> resolution = {};
    AssignmentReport report = {};
    std::vector<Merge> merges = {}; ///< of ward and average, where they took all rows
};

/// REQUIRES: request.groups is at most the number of rows.
MethodGroups leiden_groups(const Graph &graph, const GroupRequest &request, Observer &observer);

/// Leiden's groups from request.start, of each node. Nodes hold on to their groups: they leave them
/// where modularity gains much, and groups are not joined. Nodes without a group start alone.
MethodGroups continued_groups(const Graph &graph, const GroupRequest &request,
                              const Observer &observer);

/// Ward's groups or those of average linkage. REQUIRES: request.groups > 0
MethodGroups linkage_groups(const DistinctRows &rows, const GroupRequest &request,
                            Observer &observer);

/// Groups of spherical k-means (Dhillon and Modha 2001). REQUIRES: request.groups > 0
MethodGroups kmeans_groups(const DistinctRows &rows, const GroupRequest &request,
                           Observer &observer);

/// Rows brought to unit length, in floats; rows of zeros stay zeros.
Descriptors unit_rows(const IntegerRows &rows);

} // namespace bowhist

#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/group/graph.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/kept_rows.hpp>
#include <bowhist/group/linkage.hpp>
#include <bowhist/group/neighbors.hpp>

#include <vector>

namespace bowhist {

/// Which rows fit nowhere: those that have few neighbors and weak ones. Few: no other row has it
/// among its nearest. Weak: its likeness to its nearest is below Tukey's lower fence (1977), the
/// lower quartile of all rows' likenesses to their nearest less one and a half times the distance
/// between the quartiles. Rows of zeros fit nowhere.
///
/// There is no parameter, since both halves compare a row with the other rows: the fence follows
/// how alike images of this set are. One half alone is not enough: in many dimensions a tenth of
/// the rows and more are not near to any other, plain ones among them; and two odd images that are
/// each other's nearest make a group, however unlike the rest they are.
std::vector<bool> find_outliers(const Neighbors &neighbors);

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

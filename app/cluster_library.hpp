#pragma once

#include "app/cluster_call.hpp"
#include "app/cluster_subjects.hpp"

#include <bowhist/group/grouping.hpp>

namespace bowhist::app {

/// The library's codes, or its histograms where it has none; with the groups that it keeps, where
/// they are continued.
/// @throws Error
Subjects read_library(const ClusterCall &call);

/// Keeps the groups, and the names that the call gives them.
/// @throws Error{Fault::usage} for a name of no group; as keep_groups
void keep_in_library(const ClusterCall &call, const Subjects &subjects, const Grouping &grouping);

} // namespace bowhist::app

#pragma once

#include "app/cluster/cluster_call.hpp"
#include "app/cluster/cluster_subjects.hpp"

#include <bowhist/group/grouping.hpp>

namespace bowhist::app {

/// The library's codes, or its histograms where it has none; with the groups that it keeps, where
/// they are continued.
/// @throws Error
Subjects read_library(const ClusterCall &call);

/// Has the page show patches of the words that set groups apart, where the library holds where they
/// lie. @param grouping  with these words; outlives the page, as `subjects` does
void show_patches(const ClusterCall &call, const Grouping &grouping, Subjects &subjects);

/// Gives groups the names of the call. @throws Error{Fault::usage} for a name of no group
void give_names(const ClusterCall &call, Grouping &grouping);

/// Keeps the groups, unless they are written elsewhere and the library cannot be written.
/// @throws Error as keep_groups
void keep_in_library(const ClusterCall &call, const Subjects &subjects, const Grouping &grouping,
                     Console &console);

} // namespace bowhist::app

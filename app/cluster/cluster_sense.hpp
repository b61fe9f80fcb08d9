#pragma once

#include "app/cluster/cluster_call.hpp"

namespace bowhist::app {

/// @throws Error{Fault::usage} where there is nothing to group, or standard input is named twice
void require_inputs(const ClusterCall &call);

/// @throws Error{Fault::usage} where there is nothing to write, and for options that make no sense
///         together, with the reason
void require_sense(const ClusterCall &call);

} // namespace bowhist::app

#pragma once

#include "app/cluster/cluster_call.hpp"

#include <bowhist/group/neighbors.hpp>

#include <memory>

namespace bowhist::app {

/// The device that finds the neighbors of these rows: the one of a level that --kernel names; with
/// auto, a GPU if the host would take seconds. Null if the host finds them, as it does for rows
/// that are no codes.
/// @throws Error{Fault::device} where a device that was asked for cannot be opened
std::shared_ptr<Device> device_for_neighbors(const ClusterCall &call, const IntegerRows &rows,
                                             Console &console);

} // namespace bowhist::app

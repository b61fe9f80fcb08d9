#pragma once

#include "app/cluster_call.hpp"

#include <bowhist/group/neighbors.hpp>

#include <memory>

namespace bowhist::app {

/// The device that finds the neighbors of these rows: the one of a level that --kernel names; of
/// auto, a GPU, where the host would take seconds. Null where the host finds them: it does for rows
/// that are no codes.
/// @throws Error{Fault::device} where a device that was asked for cannot be opened
std::shared_ptr<Device> device_for_neighbors(const ClusterCall &call, const IntegerRows &rows,
                                             Console &console);

} // namespace bowhist::app

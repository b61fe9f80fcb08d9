#pragma once

#include "app/cluster/cluster_call.hpp"
#include "app/cluster/cluster_subjects.hpp"

namespace bowhist::app {

/// The images of groups.json and of the inputs, with their groups so far.
///
/// groups.json.npz keeps codes, each with its image and stamp, of one model; so it may be older or
/// newer than groups.json, as a run leaves it that ended between the two. An image without a code
/// there is encoded anew; an image that groups.json does not name is new.
/// @throws Error{Fault::input} where they are of two models, or no image of groups.json is left
Subjects continue_subjects(const ClusterCall &call, Console &console);

} // namespace bowhist::app

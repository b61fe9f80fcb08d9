#pragma once

#include "app/verbs.hpp"

namespace bowhist::app {

/// Runs the verb that the first word names; without one, histograms are made. `help [VERB]` is
/// --help of that verb.
/// @throws Error{Fault::usage} for a first word that is meant for a verb and is none
int dispatch(const Arguments &arguments);

} // namespace bowhist::app

#pragma once

#include "app/verbs.hpp"

#include <bowhist/team/team.hpp>

namespace bowhist::app {

/// The ranks that share this run; one process where no launcher started it.
Team &team();

/// Joins the other ranks where a launcher started some. Ranks above 0 then print nothing on
/// standard output, and keep to their share of the cores and to a GPU of their own. With --shard
/// among the arguments each process works for itself.
/// @throws as join_team
void join_team_of(const Arguments &arguments);

/// Ends all ranks alike; the line is for the one that shows it.
Ending end_team(Ending own);

} // namespace bowhist::app

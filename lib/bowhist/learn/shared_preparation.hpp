#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/team/team.hpp>

#include <optional>
#include <string>

namespace bowhist {

/// A recipe as text, and back; of none empty.
std::string recipe_text(const std::optional<Recipe> &recipe);
std::optional<Recipe> recipe_of_text(const std::string &text);

/// Rank 0's preparation for all members: rank 0 sends it, the others receive it.
void send_preparation(Team &team, const Preparation &preparation);
Preparation received_preparation(Team &team);

} // namespace bowhist

#pragma once

#include <bowhist/team/team.hpp>
#include <bowhist/train/kmeans.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace bowhist {

/// In place of a member: a node that all train together.
inline constexpr std::size_t all_members = static_cast<std::size_t>(-1);

/// The member that trains each node of a tree, so that all have about as many descriptors: the
/// largest node goes first, to the member with the fewest so far.
/// @param sizes  descriptors of each node
/// @param large  nodes of so many and more are trained by all
std::vector<std::size_t> owners_of(std::span<const std::size_t> sizes, std::size_t large,
                                   std::size_t members);

/// train() by a team whose members all have all the rows: each takes its share of them.
/// @return with the words of all rows
Training train_by_all(const Descriptors &rows, TrainOptions options, const LevelChoice &level,
                      Observer &observer);

/// Gives each member the others' trainings: vocabularies, words and iterations.
/// @param owners  of each; those of all_members stay as they are
void exchange(Team &team, std::span<const std::size_t> owners, std::span<Training> trainings);

} // namespace bowhist

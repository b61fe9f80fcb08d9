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
/// @param large  nodes of at least this many descriptors are trained by all
std::vector<std::size_t> owners_of(std::span<const std::size_t> sizes, std::size_t large,
                                   std::size_t members);

/// train() by a team whose members all have all the rows: each takes its share of them.
/// @return with the words of all rows
Training train_by_all(const Descriptors &rows, TrainOptions options, const LevelChoice &level,
                      Observer &observer);

/// Gives each member the others' trainings: vocabularies, words and iterations.
/// @param owners  of each; those of all_members stay as they are
void exchange(Team &team, std::span<const std::size_t> owners, std::span<Training> trainings);

/// The leaves of a full tree.
std::size_t leaves_of(std::span<const std::size_t> branches);

/// Hierarchical k-means (Nistér and Stewénius 2006): the descriptors are divided into
/// options.branches[0] words by train(), those of each word into branches[1], and so on. The words
/// of the last level are the vocabulary, and Training::tree holds the others.
///
/// A word without descriptors is left out. So a node with fewer distinct rows than branches has
/// fewer children, at least one, and each leaf has a training descriptor, which descending
/// assigns to it. A node's seed follows from the root's and its path, and nothing depends on
/// threads or devices. Nodes of few rows are trained on the host, many at a time.
///
/// All members of a team have all the rows, and get all words; each trains a share.
///
/// `course` stays empty; `iterations` is that of the node with the most. Reports progress as
/// "descriptors", each once a level.
/// @param options  k is ignored; branches are at least one, each at least 2
/// @throws Error{Fault::input} when there are fewer descriptors than leaves
Training train_tree(const Descriptors &rows, const TrainOptions &options, const LevelChoice &level,
                    Observer &observer);

} // namespace bowhist

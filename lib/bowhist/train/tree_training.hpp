#pragma once

#include <bowhist/train/kmeans.hpp>

#include <cstddef>
#include <span>

namespace bowhist {

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

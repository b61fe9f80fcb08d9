#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/graph.hpp>
#include <bowhist/group/linkage.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// Each node's group; of images also -1.
using LevelLabels = std::vector<std::int32_t>;

/// Groups of this many nodes or fewer are left whole: twice the neighbors that a node has.
inline constexpr std::size_t least_divided = 20;
inline constexpr std::size_t most_levels = 8;

/// Groups within groups: communities of each group on its own, again and again, until no group is
/// divided any more. The groups of a level are numbered through, those within the first group
/// first; within one, in the order of their first nodes.
/// @return the levels below `groups`, each finer than the one before
std::vector<LevelLabels> levels_of(const Graph &graph, const LevelLabels &groups,
                                   Observer &observer);

/// The same from merges: a level undoes those that cost more than a quarter of the most that any
/// merge of the level above cost.
/// @param groups  that the first merges made
std::vector<LevelLabels> levels_of(const std::vector<Merge> &merges, const LevelLabels &groups);

/// The tree of levels, the coarsest first. A node of the finest level has the height 1; one image
/// of group -1 hangs from the root.
Tree tree_of(const std::vector<LevelLabels> &levels);

/// The tree of merges, whose heights are their costs.
/// @param of_image  each image's row, or -1: it hangs from the root
Tree tree_of(const std::vector<Merge> &merges, const LevelLabels &of_image);

} // namespace bowhist

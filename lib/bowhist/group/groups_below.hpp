#pragma once

#include <bowhist/group/kept_rows.hpp>
#include <bowhist/group/linkage.hpp>

#include <vector>

namespace bowhist {

/// Adds levels and the tree to a grouping, as far as they are asked for. The tree of methods
/// without merges is that of the levels.
/// @param merges  of the kept rows; empty: the method has none
void add_below(const DistinctRows &distinct, const Kept &kept, const std::vector<Merge> &merges,
               const GroupRequest &request, Grouping &grouping, Observer &observer);

} // namespace bowhist

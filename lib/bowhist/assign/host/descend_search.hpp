#pragma once

#include <bowhist/assign/level.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstddef>

namespace bowhist {

/// Words by descending AssignOptions::tree: at each level to the nearest child, by the distances of
/// the rule in docs/words.md; of equal ones to the first. It is a rule of its own, so no row of
/// levels(). On the host.
const Level &descending_level();

/// How many centroids a descriptor is compared with at most.
std::size_t nodes_met(const VocabularyTree &tree);

} // namespace bowhist

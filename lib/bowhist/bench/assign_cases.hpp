#pragma once

#include <bowhist/bench/rounds.hpp>
#include <bowhist/bench/scene.hpp>

namespace bowhist {

/// Assignment by every level asked for, and by every size of work-group where a level takes one.
/// The work is 2·D·n·k operations, the descriptors and the words' centroids read, a word for each
/// row and the k counts written.
std::vector<Case> assign_cases(const Scene &scene, std::size_t k);

} // namespace bowhist

#pragma once

#include "app/console.hpp"

#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/pipeline/inputs.hpp>

namespace bowhist::app {

/// What a run over many inputs says at its end: how many pictures have few descriptors, with what
/// finds more; then its last line, what became of the inputs and how long it took.
/// @return the exit status: 1 when an input was skipped, else 0
/// @param few a picture with fewer descriptors was counted as one with few
int summarize(const InputList &list, const StreamCounts &counts, std::size_t few, Console &console);

} // namespace bowhist::app

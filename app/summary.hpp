#pragma once

#include "app/console.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/pipeline/inputs.hpp>

namespace bowhist::app {

/// What a run over many inputs says at its end: how many pictures have few descriptors, with what
/// finds more; then its last line, what became of the inputs and how long it took.
/// @return the exit status: 1 when an input was skipped, else 0
/// @param few a picture with fewer descriptors was counted as one with few
/// @param recipe that pictures were extracted by
int summarize(const InputList &list, const StreamCounts &counts, std::size_t few,
              const Recipe &recipe, Console &console);

/// Notes what an assigner did: rows, the share that float32 could not prove, each kernel's time by
/// OpenCL's events, and the wall clock's.
void note_report(Observer &observer, const std::string &level, const AssignmentReport &report);

/// Warns when --device or --kernel-dir was given and the level is the host's.
void warn_of_unused_device(const LevelRequest &request, const LevelChoice &level,
                           Observer &observer);

} // namespace bowhist::app

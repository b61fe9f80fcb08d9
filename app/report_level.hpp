#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/observer.hpp>

#include <string>

namespace bowhist::app {

/// Notes what an assigner did: rows, the share that float32 could not prove, each kernel's time by
/// OpenCL's events, and the wall clock's.
void note_report(Observer &observer, const std::string &level, const AssignmentReport &report);

/// Warns when --kernel-dir was given and the level runs none of its kernels.
void warn_of_unused_kernels(const LevelRequest &request, const LevelChoice &level,
                            Observer &observer);

} // namespace bowhist::app

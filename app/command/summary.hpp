#pragma once

#include "app/command/console.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/pipeline/run_summary.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace bowhist::app {

/// Prints what a run over many inputs says at its end: how many images have few descriptors, and
/// what finds more; then the last line, with what became of the inputs and how long it took.
/// @param result  what stands first in the last line
/// @return the exit status: 1 when an input was skipped, else 0
int summarize(const InputSummary &run, Console &console, const std::string &result = {});

/// "4 ignored: 2 folders (@eaDir, .git), 1 .cr2, 1 .txt": files by kind, rare kinds together.
/// @param files    by kind
/// @param folders  by name
std::string ignored(const std::map<std::string, std::size_t> &files,
                    const std::map<std::string, std::size_t> &folders);

/// The result of a shard whose part was there already.
inline constexpr const char *already_complete = "already complete";

/// Notes what an assigner did: rows, the share that float32 could not prove, each kernel's time by
/// OpenCL's events, and the wall clock's.
/// @param rows  what they are
void note_report(Observer &observer, const std::string &level, const AssignmentReport &report,
                 std::string_view rows = "descriptors");

} // namespace bowhist::app

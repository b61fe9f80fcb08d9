#pragma once

#include "app/console.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/pipeline/inputs.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

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
/// @param rows  what they are
void note_report(Observer &observer, const std::string &level, const AssignmentReport &report,
                 std::string_view rows = "descriptors");

/// What was asked for about devices.
struct DeviceWishes {
    std::string device;
    std::filesystem::path kernel_dir;
    std::size_t batch = 0;
};

/// Warns of each of them that was given, with its value, as having no effect.
/// @param why  "openmp uses no device; choose another level"
void warn_of_unused(const DeviceWishes &wishes, const std::string &why, Observer &observer);

/// The same where the level is the host's. Of --batch only a note where auto chose that level.
/// @param preprocesses  a device is used all the same, to preprocess pictures
void warn_of_unused_device(const LevelRequest &request, const LevelChoice &level, bool preprocesses,
                           Observer &observer);

} // namespace bowhist::app

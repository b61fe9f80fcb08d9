#pragma once

#include <bowhist/io/file_handle.hpp>

#include <filesystem>
#include <string>

namespace bowhist {

/// ".bowhist-PROCESS-NUMBER.tmp", what a TemporaryFile is called.
std::string temporary_name(int process, unsigned number);

/// Locks an open file until it is closed. False, with errno EWOULDBLOCK, when another has it.
bool lock(std::FILE *file);

/// Removes the temporary files in a folder that runs left which were killed: of a run, all or none,
/// and none as long as one of them is locked. Once for each folder.
void sweep_temporary_files(const std::filesystem::path &folder);

} // namespace bowhist

#pragma once

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

// Temporary files and folders are called ".bowhist-HOST-PID-NUMBER.tmp". A run locks its own, so
// that the next run can remove those of a killed one. HOST stands for one boot of one kernel,
// within which locks work. The containers of a machine share it; two machines that share a folder
// may not see each other's locks.

namespace bowhist {

/// The name of a temporary file of this process.
std::string temporary_name(unsigned number);

/// Locks an open file until it is closed. False, with errno EWOULDBLOCK, when it is locked already.
bool lock(std::FILE *file);

/// Removes the temporary files and folders that killed runs left in a folder. All files of one run
/// go together, and stay while one of them is locked; those of another host must also be a day old.
/// Only the first call for a folder does so; calls may come from many threads.
/// @param now  by the clock of the folder's file system
void sweep_temporary_files(const std::filesystem::path &folder, std::time_t now);

} // namespace bowhist

#pragma once

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

// Temporary files are called ".bowhist-HOST-PID-NUMBER.tmp". A run locks its own, so that the next
// one can remove those of a killed run. HOST says where a lock counts: it stands for one boot of
// one kernel. Containers of a machine share it, as they share the locks; two machines in one folder
// may not see each other's locks.

namespace bowhist {

/// The name of a temporary file of this process.
std::string temporary_name(unsigned number);

/// Locks an open file until it is closed. False, with errno EWOULDBLOCK, when another has it.
bool lock(std::FILE *file);

/// Removes the temporary files in a folder that killed runs left: of a run, all or none, and none
/// while one of them is locked. Those of another host, and of older versions, which name no host,
/// must also be a day old. Once for each folder.
/// @param now  by the folder's file system, whose clock may be another than ours
void sweep_temporary_files(const std::filesystem::path &folder, std::time_t now);

} // namespace bowhist

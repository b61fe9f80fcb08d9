#pragma once

#include <cstdint>
#include <string>

namespace bowhist {

/// Where the system says what there is.
struct MemoryFiles {
    std::string proc = "/proc";
    std::string control_groups = "/sys/fs/cgroup";
};

/// Bytes that the program holds by now.
std::uint64_t held_memory();

/// Bytes that it could take beside them without swapping: the least of what the system has left,
/// what the control groups around it leave (of either version; a file's pages in the system's cache
/// count as free), and what its own limits leave (ulimit -v, -d).
std::uint64_t free_memory(const MemoryFiles &files = {});

/// The same, and what can be swapped out besides. More than that cannot be had.
std::uint64_t obtainable_memory(const MemoryFiles &files = {});

} // namespace bowhist

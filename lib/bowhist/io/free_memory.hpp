#pragma once

#include <cstdint>
#include <string>

namespace bowhist {

/// The folders in which the system reports its memory.
struct MemoryFiles {
    std::string proc = "/proc";
    std::string control_groups = "/sys/fs/cgroup";
};

/// Bytes that the program holds.
std::uint64_t held_memory();

/// Bytes that it can take in addition without swapping: the least of what the system has left, what
/// the control groups around it leave (of either version; pages of files in the system's cache
/// count as free), and what its own limits leave (ulimit -v, -d).
std::uint64_t free_memory(const MemoryFiles &files = {});

/// Free memory and what can be swapped out: the upper bound of what can be allocated.
std::uint64_t obtainable_memory(const MemoryFiles &files = {});

} // namespace bowhist

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace bowhist {

/// Bytes that the program holds.
std::uint64_t held_memory();

/// Bytes that it can take in addition without swapping: the least of what the system has left, what
/// the control groups around it leave (of either version; pages of files in the system's cache
/// count as free), and what its own limits leave (ulimit -v, -d).
/// @param root  what stands for /, in tests
std::uint64_t free_memory(const std::filesystem::path &root = "/");

/// How many of the wanted pieces of work may be in memory at a time: those that a quarter of the
/// free memory holds, but at least one.
/// @param bytes  of a piece
std::size_t fitting(std::size_t wanted, std::uint64_t bytes);

/// Free memory and what can be swapped out: the upper bound of what can be allocated.
std::uint64_t obtainable_memory(const std::filesystem::path &root = "/");

} // namespace bowhist

#pragma once

#include <bowhist/core/descriptors.hpp>

#include <filesystem>
#include <string>

namespace bowhist {

/// True for the endings `.npy`, `.fvecs`, `.fbin` (any case).
bool is_descriptor_file(const std::filesystem::path &path);

/// Reads one picture's descriptors: `.npy` n×D float32 in C order; `.fvecs` rows of int32 D and D
/// float32; `.fbin` uint32 n, uint32 D and n·D float32. No rows at all is fine.
/// @throws Error{Fault::input} for anything else, NaN and infinity with their row.
Descriptors read_descriptors(const std::filesystem::path &path);

/// Writes by ending, whole or not at all. @throws Error{Fault::output}; Fault::usage for another
/// ending.
void write_descriptors(const std::filesystem::path &path, const Descriptors &descriptors);

} // namespace bowhist

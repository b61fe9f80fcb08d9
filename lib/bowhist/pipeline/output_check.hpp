#pragma once

#include <bowhist/inputs/inputs.hpp>

#include <filesystem>
#include <vector>

namespace bowhist {

using Paths = std::vector<std::filesystem::path>;

/// Refuses an output that is a file that is read, or its sidecar, by whatever path: ./a.png, a
/// link. Two outputs may not be one file either. Inputs are looked at only where an output is there
/// already. An empty path is no file.
/// @param read  further files that are read
/// @throws Error{Fault::usage} naming the output and the input that it would replace
void check_outputs(const Paths &outputs, const Paths &read, const InputList &list = {});

} // namespace bowhist

#pragma once

#include <filesystem>
#include <string>

namespace bowhist {

/// What a file's name ends with, in lower case and with its dot: ".npy" for "A/B.NPY"; empty for
/// none.
std::string ending_of(const std::filesystem::path &path);

} // namespace bowhist

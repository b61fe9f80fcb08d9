#pragma once

#include <filesystem>
#include <string>

namespace bowhist {

/// The ending of a file's name, in lower case and with its dot: ".npy" for "A/B.NPY"; may be empty.
std::string ending_of(const std::filesystem::path &path);

} // namespace bowhist

#pragma once

#include <filesystem>
#include <string>

namespace bowhist::app {

/// 128 random bits as text.
std::string random_token();

/// The first line of a file. @throws Error{Fault::usage} where it cannot be read, is short, or has
/// other letters than a-z A-Z 0-9 - . _ ~
std::string read_token(const std::filesystem::path &path);

} // namespace bowhist::app

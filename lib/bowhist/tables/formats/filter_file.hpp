#pragma once

#include <bowhist/core/filter.hpp>

#include <filesystem>

namespace bowhist {

/// A filter from a text file: a line for each row, its weights separated by blanks, tabs or commas.
/// A # starts a comment, and empty lines do not count.
/// @throws Error{Fault::usage} when it cannot be read, holds anything else, or has a shape that no
///         filter has; the message says what was found and where
Filter read_filter(const std::filesystem::path &path);

} // namespace bowhist

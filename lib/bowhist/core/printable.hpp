#pragma once

#include <filesystem>
#include <string>

namespace bowhist {

/// A path (or any text from outside) for a message of one line: control characters appear as
/// `\n`, `\t`, `\x1b`, all other bytes as they are. Strings convert to a path without change.
std::string printable(const std::filesystem::path &text);

} // namespace bowhist

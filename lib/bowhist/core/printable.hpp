#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bowhist {

/// A path (or any text from outside) for a message of one line: control characters appear as
/// `\n`, `\t`, `\x1b`, all other bytes as they are; an empty one as ''. Strings convert to a path
/// without change.
std::string printable(const std::filesystem::path &text);

/// As printable(), for text from inside a file, which may be as long as the file: at most 200
/// bytes, which end in "..." where text was cut. Empty text stays empty.
std::string excerpt(std::string_view text);

} // namespace bowhist

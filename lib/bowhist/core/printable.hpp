#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bowhist {

/// A path (or any text from outside) for a message of one line: control characters appear as
/// `\n`, `\t`, `\x1b`, all other bytes as they are; an empty one as ''. Strings convert to a path
/// without change.
std::string printable(const std::filesystem::path &text);

/// The same of text that stands in quotes or is from inside a file, which may be as long as the
/// file: 200 bytes at most, the last of them "..." where it goes on. An empty one stays empty.
std::string excerpt(std::string_view text);

} // namespace bowhist

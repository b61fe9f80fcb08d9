#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// Text in UTF-16 or UTF-32 of either byte order as UTF-8, its byte order mark included if it has
/// one. Nothing where `bytes` are no such text, by the ASCII letters in the first 64 KiB: there are
/// three in a row, or two that end a line or follow a byte order mark. A NUL stands for what is no
/// letter: half of a surrogate pair, or an end with too few bytes.
std::optional<std::string> wide_as_utf8(std::string_view bytes);

} // namespace bowhist

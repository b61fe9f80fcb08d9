#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// Text in UTF-16 or UTF-32 of either byte order as UTF-8, its byte order mark included if it has
/// one. Nothing where `bytes` are no such text: the first 64 KiB have three ASCII letters in a
/// row, or two where there is a byte order mark. A NUL stands for what is no letter: half of a
/// surrogate pair, or an end with too few bytes.
std::optional<std::string> wide_as_utf8(std::string_view bytes);

} // namespace bowhist

#pragma once

#include <string>
#include <string_view>

namespace bowhist {

/// XXH3-128 of a file's bytes, 16 bytes.
std::string content_hash(std::string_view bytes);

} // namespace bowhist

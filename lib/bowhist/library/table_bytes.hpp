#pragma once

#include <bowhist/library/sqlite/database.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace bowhist {

/// Bytes of the file by table, with its indices; what is free is in none.
/// @param most_exact  a file of at most this many bytes is read as a whole. The bytes of words,
///                    codes and thumbnails in a larger one are estimated by a thousand rows of
///                    each; their sum is exact
std::map<std::string, std::uint64_t> bytes_by_table(Database &database, std::uint64_t most_exact);

} // namespace bowhist

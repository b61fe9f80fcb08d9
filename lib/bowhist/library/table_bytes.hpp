#pragma once

#include <bowhist/library/sqlite/database.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace bowhist {

/// Bytes of the file by table, with its indices; what is free is in none.
/// @param exact  reads the whole file. Else of a large library the bytes of words, codes and
///               thumbnails are estimated by a thousand images; together they are exact
std::map<std::string, std::uint64_t> bytes_by_table(Database &database, bool exact);

} // namespace bowhist

#pragma once

#include <bowhist/library/sqlite/database.hpp>

#include <cstdint>
#include <filesystem>

namespace bowhist {

// The tables of a library; docs/formats.md describes them.

inline constexpr std::int64_t library_id = 0x626f7768; ///< application_id: "bowh"
inline constexpr std::int64_t library_version = 3;     ///< user_version
inline constexpr std::int64_t oldest_library_version =
    2; ///< that is read, and upgraded (upgrade.hpp)

/// Whether a file's first bytes are those of a library, of any version. False for one that cannot
/// be read. SQLite is not loaded.
bool holds_library(const std::filesystem::path &path);

/// Makes the tables in one transaction. REQUIRES: a new, empty file
void make_tables(Database &database);

/// @throws Error{Fault::input} for another program's file, or a library of a version that is not
///         between these two
void require_library(Database &database);

} // namespace bowhist

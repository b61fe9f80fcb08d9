#pragma once

#include <bowhist/library/sqlite/database.hpp>

#include <array>
#include <cstdint>
#include <filesystem>

namespace bowhist {

// The tables of a library; docs/formats.md describes them.

inline constexpr std::int64_t library_id = 0x626f7768; ///< application_id: "bowh"
inline constexpr std::int64_t library_version = 3;     ///< user_version
inline constexpr std::int64_t oldest_library_version =
    2; ///< that is read, and upgraded (upgrade.hpp)

/// The statements that make a library of this version.
extern const char *const schema_text;

/// Finds what is skipped without a look at all rows. Version 3 added both.
inline constexpr const char *skipped_indices =
    "CREATE INDEX files_skipped ON files(gone) WHERE skipped IS NOT NULL;"
    "CREATE INDEX contents_skipped ON contents(id) WHERE skipped IS NOT NULL;";

/// Checks of copies, which a library has once some were made (compared_images.hpp).
inline constexpr const char *compared_table =
    "CREATE TABLE compared(image BLOB PRIMARY KEY, number INTEGER NOT NULL, pixels BLOB NOT NULL, "
    "pairs BLOB NOT NULL, proposals BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT";

/// A column that earlier versions lack. Such columns stand behind the others of their table, in
/// this order.
struct AddedColumn {
    std::int64_t version; ///< the first that has it
    const char *table;
    const char *column;
};
inline constexpr std::array added_columns{
    AddedColumn{3, "contents", "frames INTEGER"}, AddedColumn{3, "contents", "color INTEGER"},
    AddedColumn{3, "contents", "orientation INTEGER"},
    AddedColumn{3, "contents", "metadata INTEGER"}, AddedColumn{3, "files", "changed INTEGER"}};

/// Whether a file's first bytes are those of a library, of any version. False for one that cannot
/// be read. SQLite is not loaded.
bool holds_library(const std::filesystem::path &path);

/// Makes the tables in one transaction. REQUIRES: a new, empty file
void make_tables(Database &database);

/// A library's tables, indices and views that this program reads are those that it makes: another
/// program's view could have no end. Others are left alone.
/// @throws Error{Fault::input} for another program's file, a library of a version that is not
///         between these two, or one whose tables are not those of its version
void require_library(Database &database);

} // namespace bowhist

#include <bowhist/library/file/schema.hpp>

#include <bowhist/library/file/kept_file.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

namespace bowhist {

const char *const schema_text = R"(
-- What holds for the library as a whole.
CREATE TABLE about(
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL,
    checksum INTEGER NOT NULL) STRICT;

-- Folders that were named; one with an empty path for files that were named.
CREATE TABLE roots(
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE, -- as it was given
    excluded BLOB NOT NULL,    -- globs, each with a NUL behind it
    hidden INTEGER NOT NULL,   -- 1: takes what begins with a dot
    place BLOB NOT NULL,       -- the absolute folder that it meant; of named files the working
                               -- directory
    checksum INTEGER NOT NULL) STRICT;

-- Folders with images.
CREATE TABLE folders(
    id INTEGER PRIMARY KEY,
    root INTEGER NOT NULL,
    path BLOB NOT NULL, -- below the root, with a slash at its end, or empty
    checksum INTEGER NOT NULL,
    UNIQUE(root, path)) STRICT;

-- Paths. Those with the same content and file are one image.
CREATE TABLE files(
    id INTEGER PRIMARY KEY,
    folder INTEGER NOT NULL,
    name BLOB NOT NULL,
    size INTEGER NOT NULL,     -- bytes
    modified INTEGER NOT NULL, -- nanoseconds since 1970
    file INTEGER NOT NULL,     -- XXH3-64 of device and inode
    content INTEGER,           -- NULL: not read
    skipped TEXT,              -- why it was not read; tried again in each run
    gone INTEGER,              -- seconds since 1970 when its absence was noticed
    run INTEGER NOT NULL,      -- that found it first
    checksum INTEGER NOT NULL, -- also over what follows, which version 3 added
    changed INTEGER,           -- ctime, nanoseconds since 1970; NULL: not known
    UNIQUE(folder, name)) STRICT;
CREATE INDEX files_by_content ON files(content, file);
CREATE INDEX files_gone ON files(content) WHERE gone IS NOT NULL;

-- Bytes of files, each once.
CREATE TABLE contents(
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- segments name it: it is never given again
    hash BLOB NOT NULL UNIQUE, -- XXH3-128, 16 bytes
    width INTEGER NOT NULL,    -- pixels of the upright image; 0 where it is skipped
    height INTEGER NOT NULL,
    captured TEXT,             -- by Exif: 2026-11-26T07:10:54, perhaps with +02:00
    skipped TEXT,              -- why there is no description
    checksum INTEGER NOT NULL, -- also over what follows, which version 3 added
    frames INTEGER,            -- or pages; NULL, here and below: not known
    color INTEGER,             -- beyond a tone, in thousandths of a level of chroma
    orientation INTEGER,       -- by Exif, 1 to 8; 0: it says nothing
    metadata INTEGER           -- camera 1, time 2, position 4, exposure 8, profile 16, XMP 32
    ) STRICT;

-- Visual words, rising.
CREATE TABLE words(
    content INTEGER PRIMARY KEY,
    words BLOB NOT NULL, -- uint16 of each keypoint, or uint32 where k is above 65536
    places BLOB,         -- 5 bytes of each keypoint, in the same order
    mirrored BLOB,       -- the word of each mirrored descriptor
    checksum INTEGER NOT NULL) STRICT;

-- Codes.
CREATE TABLE codes(
    content INTEGER PRIMARY KEY,
    descriptors INTEGER NOT NULL,
    code BLOB NOT NULL, -- int8 of each component
    checksum INTEGER NOT NULL) STRICT;

CREATE TABLE thumbnails(
    content INTEGER PRIMARY KEY,
    jpeg BLOB NOT NULL,
    checksum INTEGER NOT NULL) STRICT;

-- The index of search: contents in the form that is searched.
CREATE TABLE segments(
    id INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,   -- the least of its contents
    contents BLOB NOT NULL,   -- uint32 of each image: its content less the first
    word_norms BLOB NOT NULL, -- uint32 of each image
    code_norms BLOB NOT NULL,
    levels BLOB NOT NULL,     -- uint8 of each word: 0 without postings, else 1 and its bitmaps
    checksum INTEGER NOT NULL) STRICT;

CREATE TABLE postings(
    id INTEGER PRIMARY KEY,   -- segment * 2^32 + word
    checksum INTEGER NOT NULL,
    postings BLOB NOT NULL) STRICT;

CREATE TABLE code_blocks(
    id INTEGER PRIMARY KEY,   -- segment * 2^32 + number of 4096 images
    checksum INTEGER NOT NULL,
    codes BLOB NOT NULL) STRICT;

-- Contents that are in no segment yet.
CREATE TABLE unindexed(
    content INTEGER PRIMARY KEY,
    checksum INTEGER NOT NULL) STRICT;

-- What makes the descriptions.
CREATE TABLE models(
    kind TEXT PRIMARY KEY,     -- words, code
    fingerprint TEXT NOT NULL,
    recipe TEXT NOT NULL,      -- for people
    size INTEGER NOT NULL,     -- words, or components of a code
    model BLOB NOT NULL,       -- of words c.bin, of code a model's .npz
    record BLOB NOT NULL,      -- of words c.bin.json
    checksum INTEGER NOT NULL) STRICT;

-- Groups of images, as cluster made them last.
CREATE TABLE groups(
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL, -- that a user gave it
    checksum INTEGER NOT NULL) STRICT;

CREATE TABLE members(
    file INTEGER PRIMARY KEY,
    number INTEGER NOT NULL, -- of its group; -1: it fits nowhere
    checksum INTEGER NOT NULL) STRICT;

CREATE VIEW paths AS
    SELECT files.id, CASE WHEN roots.path = x'' OR substr(roots.path, -1) = x'2f'
                          THEN roots.path ELSE roots.path || x'2f' END
                     || folders.path || files.name AS path,
           files.size, files.modified, files.file, files.content, files.skipped, files.gone
    FROM files JOIN folders ON folders.id = files.folder JOIN roots ON roots.id = folders.root;

CREATE VIEW images AS
    SELECT CAST(min(paths.path) AS TEXT) AS path, count(*) AS paths, paths.size,
           datetime(paths.modified / 1000000000, 'unixepoch') AS modified, contents.captured,
           contents.width, contents.height, lower(hex(contents.hash)) AS hash, paths.content
    FROM paths JOIN contents ON contents.id = paths.content
    WHERE paths.gone IS NULL AND contents.skipped IS NULL
    GROUP BY paths.content, paths.file;

CREATE VIEW skipped AS
    SELECT CAST(paths.path AS TEXT) AS path, coalesce(paths.skipped, contents.skipped) AS reason
    FROM paths LEFT JOIN contents ON contents.id = paths.content
    WHERE paths.gone IS NULL AND coalesce(paths.skipped, contents.skipped) IS NOT NULL;

CREATE VIEW gone AS
    SELECT CAST(path AS TEXT) AS path, datetime(gone, 'unixepoch') AS noticed
    FROM paths WHERE gone IS NOT NULL;
)";

bool holds_library(const std::filesystem::path &path) {
    constexpr std::size_t header_bytes = 100;
    constexpr std::size_t place_of_id = 68;
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) return false;
    std::string header(header_bytes, '\0');
    KeptFile file(path, O_RDONLY);
    if (file.descriptor() < 0) return false;
    const bool is_long = ::pread(file.descriptor(), header.data(), header_bytes, 0) ==
                         static_cast<ssize_t>(header_bytes);
    const bool is_one = is_long && header.starts_with("SQLite format 3") &&
                        std::string_view(header).substr(place_of_id, 4) == "bowh";
    if (!is_one) file.close();
    return is_one;
}

void make_tables(Database &database) {
    database.run("PRAGMA page_size=16384; PRAGMA auto_vacuum=INCREMENTAL;");
    database.run("BEGIN IMMEDIATE");
    database.run(schema_text);
    database.run(skipped_indices);
    database.run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={};", library_id,
                             library_version));
    database.run("COMMIT");
}

} // namespace bowhist

#pragma once

#include <bowhist/library/library.hpp>

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace bowhist {

/// A script acts on a file only while it has these.
struct FileFacts {
    FileStamp stamp;
    std::uint32_t checksum = 0; ///< that POSIX `cksum` prints
    unsigned mode = 0;          ///< its permissions
};

/// Size and time.
FileStamp stamp_of(const struct stat &found);

/// The facts of a file; empty if it cannot be read, or changes meanwhile.
std::optional<FileFacts> facts_of(const std::filesystem::path &file);
/// The facts of an image; empty also if it is no longer what the library read.
std::optional<FileFacts> facts_of(const LibraryImage &image);

/// Reads an image. @return whether it still is what the library read
bool is_as_read(const LibraryImage &image);

/// Since 1970; rounded down.
std::int64_t whole_seconds(const FileStamp &stamp);
/// "2026-11-29T00:49:55.123456789Z"
std::string time_text(const FileStamp &stamp);

} // namespace bowhist

#pragma once

#include <bowhist/duplicates/pair_check.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <span>
#include <string>

namespace bowhist {

/// How groups of copies are written (docs/duplicates.md).
enum class DuplicatesFormat { csv, jsonl, npz, blocks, paths };

/// Writes all groups, and images that stand apart where rows of images are written. Paths are those
/// of copies that could go. The caller commits.
void write_groups(AtomicFile &file, DuplicatesFormat format, const Duplicates &found);

/// The paths with "|" between them.
std::string joined_paths(std::span<const LibraryImage> images);

/// The header, and a row of a compared pair, of --pairs.
std::string pairs_header();
std::string pairs_row(const std::string &first, const std::string &second, const CheckedPair &pair);

} // namespace bowhist

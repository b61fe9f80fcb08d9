#pragma once

#include <bowhist/duplicates/pair_report.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <string>

namespace bowhist::app {

/// How groups of copies are written (docs/duplicates.md).
enum class DuplicatesFormat { csv, jsonl, npz, blocks, paths };

/// Writes all groups. The caller commits.
void write_groups(AtomicFile &file, DuplicatesFormat format, const Duplicates &found);

/// The header, and a row of a compared pair, of --pairs.
std::string pairs_header();
std::string pairs_row(const std::string &first, const std::string &second, const CheckedPair &pair);

} // namespace bowhist::app

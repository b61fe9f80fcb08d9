#pragma once

#include "app/command/command.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace bowhist::app {

/// The options about pictures that differ.
struct NotSameOptions {
    std::vector<std::string> paths;      ///< two a pair, to remember
    std::filesystem::path list;          ///< two a line, with a tab between, to remember
    std::vector<std::string> same_again; ///< two a pair, to forget: paths, or hashes of gone files
    bool list_pairs = false;             ///< print the pairs that are remembered
};

/// --not-same, --not-same-from, --same-again, --list-not-same
void add_not_same_options(Command &command, NotSameOptions &options);

/// Remembers and forgets pairs in the library. All pairs are looked up before any is written.
/// @throws Error{Fault::usage} for a path that is not there, and for a pair to forget that is not
///         remembered
void apply_not_same(const std::filesystem::path &library, const NotSameOptions &options);

/// Writes the pairs that the library remembers as CSV, by their paths. A picture whose file is gone
/// has its hash in place of a path.
/// @param output  empty: standard output
void write_not_same(const std::filesystem::path &library, const std::filesystem::path &output);

} // namespace bowhist::app

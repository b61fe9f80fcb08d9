#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>

namespace bowhist {

/// Pairs of contents that a user knows to be different pictures, by their hashes, the lower one
/// first.
using NotSame = std::set<std::pair<std::string, std::string>>;

/// Those that a library remembers. @throws as Library
NotSame read_not_same(const std::filesystem::path &library);

/// Remembers more of them.
/// @param wait_seconds  for another writer
/// @throws LibraryBusy where that takes longer; Error{Fault::output} where it cannot be written
void remember_not_same(const std::filesystem::path &library, const NotSame &more,
                       double wait_seconds);

} // namespace bowhist

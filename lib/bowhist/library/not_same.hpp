#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace bowhist {

/// A pair of contents that a user knows to be different pictures, by their hashes
/// (LibraryImage::hash), the lower one first.
using DifferentPair = std::pair<std::string, std::string>;
/// Several of them.
using NotSame = std::set<DifferentPair>;

/// The pairs that a library remembers. @throws as Library
NotSame read_not_same(const std::filesystem::path &library);

/// Remembers more pairs.
/// @param wait_seconds  for another writer
/// @throws LibraryBusy where that takes longer; Error{Fault::output} where it cannot be written
void remember_not_same(const std::filesystem::path &library, const NotSame &more,
                       double wait_seconds);

/// Forgets pairs: their pictures may be copies again. Pairs that are not remembered are ignored.
/// Parameters and errors are those of remember_not_same().
void forget_not_same(const std::filesystem::path &library, const NotSame &pairs,
                     double wait_seconds);

/// A hash as 32 hexadecimal digits, as people and scripts read it.
std::string text_of_hash(std::string_view hash);
/// The inverse of text_of_hash(); empty if the text is no such hash.
std::string hash_of_text(std::string_view text);

} // namespace bowhist

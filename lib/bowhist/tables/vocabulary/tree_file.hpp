#pragma once

#include <bowhist/core/vocabulary.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <filesystem>
#include <string>

namespace bowhist {

/// The path of a vocabulary's tree: its own with ".tree" appended.
std::filesystem::path tree_path(const std::filesystem::path &vocabulary);

/// The content of the file; tree_file.cpp describes it.
/// @param fingerprint  of the vocabulary
std::string tree_bytes(const VocabularyTree &tree, const std::string &fingerprint);

/// The tree beside the vocabulary.
/// @throws Error{Fault::vocabulary} when it is missing, belongs to another vocabulary, or is
///         damaged
VocabularyTree read_tree(const VocabularyPair &pair);

/// The pair as read_vocabulary_pair() has it, with its tree if words are to be found by descending
/// it. @throws as read_vocabulary_pair, read_tree
VocabularyPair read_vocabulary_pair(const std::filesystem::path &vocabulary, bool descends);

} // namespace bowhist

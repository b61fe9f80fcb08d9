#pragma once

#include <bowhist/core/vocabulary_tree.hpp>
#include <bowhist/tables/formats/sidecar.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace bowhist {

/// A vocabulary with the record of how it was made.
struct VocabularyPair {
    std::filesystem::path path = {};
    Vocabulary vocabulary;
    std::string fingerprint;
    SidecarAnswer recorded;                          ///< what c.bin.json holds about it
    std::shared_ptr<const VocabularyTree> tree = {}; ///< that words are found by; null: by the rule

    /// The rule by which words are found: "descend"; empty for the rule in docs/words.md.
    std::string rule() const { return tree ? "descend" : ""; }
};

/// The fingerprint of all that decides what its histograms mean: that of the words, and where rows
/// are prepared before, or words found by a tree, one of these, too.
std::string fingerprint_of_histograms(const VocabularyPair &pair);

/// @throws Error{Fault::vocabulary} when either cannot be read
VocabularyPair read_vocabulary_pair(const std::filesystem::path &vocabulary);

/// The weights of its words, for a normalization that weighs(); else nothing.
/// @throws Error{Fault::vocabulary} when its sidecar does not hold what they are made of
std::optional<WordWeights> weights_for(const VocabularyPair &pair, Normalization normalization);

/// Writes c.bin and c.bin.json over an old pair, if there is one. Whenever the program ends,
/// read_vocabulary_pair finds a whole pair: the old one or the new one, with its own record.
/// @throws Error{Fault::output}
void write_vocabulary_pair(const std::filesystem::path &vocabulary, const Vocabulary &content,
                           const VocabularySidecar &sidecar);

} // namespace bowhist

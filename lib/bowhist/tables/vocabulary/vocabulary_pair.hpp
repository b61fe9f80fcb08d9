#pragma once

#include <bowhist/core/vocabulary.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/formats/sidecar.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// The steps of write_vocabulary_pair: between any two of them a whole pair can be read.
///
/// Protocol: step until done; undo after a step that failed.
class PairReplacement {
  public:
    /// Writes everything beside its place: whatever a disk can refuse, it refuses here.
    /// @throws Error{Fault::output}
    PairReplacement(const std::filesystem::path &vocabulary, const Vocabulary &content,
                    const VocabularySidecar &sidecar);

    bool done() const { return next_ == renames_.size(); }
    /// One rename. @throws Error{Fault::output}
    void step() { renames_.at(next_++).commit(); }
    /// Restores the old sidecar, unless the new c.bin took its place. @throws Error{Fault::output}
    void undo();

  private:
    std::optional<AtomicFile> old_sidecar_; ///< a copy; empty where there was no sidecar
    std::vector<AtomicFile> renames_;       ///< in their order
    std::size_t next_ = 0;
};

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

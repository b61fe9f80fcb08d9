#pragma once

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/formats/sidecar.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// c.bin and what c.bin.json tells of it.
struct VocabularyPair {
    std::filesystem::path path = {};
    Vocabulary vocabulary;
    std::string fingerprint;
    SidecarAnswer told;
};

/// @throws Error{Fault::vocabulary} when either cannot be read
VocabularyPair read_vocabulary_pair(const std::filesystem::path &vocabulary);

/// A new pair in the place of an old one, in steps. Whatever ends the program before, between or
/// after them leaves a pair that read_vocabulary_pair reads: the old one or the new one, each with
/// its own record.
class PairReplacement {
  public:
    /// Writes everything beside its place: what a disk can refuse, it refuses here.
    /// @throws Error{Fault::output}
    PairReplacement(const std::filesystem::path &vocabulary, const Vocabulary &content,
                    const VocabularySidecar &sidecar);

    bool done() const { return next_ == renames_.size(); }
    /// One rename. @throws Error{Fault::output}
    void step() { renames_.at(next_++).commit(); }
    /// After a step that failed: the old sidecar again, unless the new c.bin took its place.
    /// @throws Error{Fault::output}
    void undo();

  private:
    std::optional<AtomicFile> old_sidecar_; ///< a copy; nothing where there was none
    std::vector<AtomicFile> renames_;       ///< in their order
    std::size_t next_ = 0;
};

/// All steps. @throws Error{Fault::output}
void write_vocabulary_pair(const std::filesystem::path &vocabulary, const Vocabulary &content,
                           const VocabularySidecar &sidecar);

} // namespace bowhist

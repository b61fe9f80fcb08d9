#pragma once

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <cstddef>
#include <optional>
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

} // namespace bowhist

#pragma once

#include <bowhist/pipeline/make_histograms.hpp>
#include <bowhist/pipeline/part_of_run.hpp>
#include <bowhist/pipeline/word_stream.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>

#include <memory>
#include <optional>
#include <string>

namespace bowhist {

/// A run that writes rows: its inputs, its level and its file.
///
/// Protocol: settle; unless it returns the run, choose_level_for, or choose_level and describe;
/// then open, write*, finish.
class RowRun {
  public:
    /// @param recorded  what the descriptors are made by; all three outlive it
    RowRun(const HistogramRequest &request, const VocabularyPair &recorded, Observer &observer);

    /// Settles the rows that are written. @return the run itself, if it is a shard whose part is
    /// there already
    std::optional<HistogramRun> settle(RowFileInfo info);
    /// Prepares the assigner, too. @param steps  of preparation, as text
    void choose_level_for(const Vocabulary &words, const std::string &steps);
    const LevelChoice &choose_level(const Vocabulary &words);
    /// Notes what happens.
    void describe(const std::string &steps, const std::string &what) const;
    void open();
    void write(const EncodedImage &encoded);
    /// @param report  of what found the words; nothing: the assigner
    HistogramRun finish(const StreamCounts &counts,
                        const std::optional<AssignmentReport> &report = {});

    const InputList &list() const { return run_.inputs.list; }
    const PreparedRecipe &recipe() const { return recipe_; }
    std::string extractor_text() const { return as_options(recipe_.recipe()); }
    Assigner &assigner() { return *assigner_; }

    StreamOptions options;

  private:
    const HistogramRequest &request_;
    Observer &observer_;
    PreparedRecipe recipe_;
    LevelRequest wished_;
    LevelChoice level_;
    HistogramRun run_;
    std::unique_ptr<Assigner> assigner_;
    RowFileInfo info_ = {};
    std::optional<PartOfRun> part_;
    std::unique_ptr<RowWriter> writer_;
};

/// The steps that a vocabulary was trained with, as text; empty without.
std::string steps_of(const VocabularyPair &pair);

} // namespace bowhist

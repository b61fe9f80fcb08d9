#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/learn/training_memory.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/train/kmeans.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace bowhist {

/// The file of `train --checkpoint`: a training resumes from it, and writes its states there.
///
/// Protocol: take_gathered before attach; then write, or write_interrupted and write.
class Checkpoint {
  public:
    /// Without a path it does nothing. @throws Error{Fault::input} when the file is no checkpoint;
    /// Error{Fault::output} when nothing can be written there
    Checkpoint(std::filesystem::path path, Observer &observer);

    /// Makes the training resume from the file, and report its states to this checkpoint. `options`
    /// then refers to it.
    /// @throws Error{Fault::usage} when the file is of another training
    void attach(const DescriptorRows &rows, TrainOptions &options);

    /// The descriptors of these inputs that the file holds.
    /// @param inputs  their fingerprint
    /// @throws Error{Fault::usage} when the file holds only those of other inputs
    std::optional<GatheredSample> take_gathered(const std::string &inputs);

    /// Writes the last state. During training it is written every few seconds. If writing fails (a
    /// full disk), the old file stays, with a warning: the training continues.
    void write();

    /// The same for an interrupted training, with the descriptors gathered so far.
    void write_interrupted(const TrainOptions &options, GatheredSample &&gathered);

    bool is_wanted() const { return !path_.empty(); }

  private:
    static constexpr const char *other_inputs = "other inputs, or of other options for them";

    [[noreturn]] void refuse(const std::string &what,
                             const char *next = "remove it to train anew, or name another") const;
    void require_same(const TrainOptions &options, std::size_t dimensions) const;
    void keep(TrainingState &&state);

    std::filesystem::path path_;
    Observer &observer_;
    std::string descriptors_; ///< fingerprint
    std::optional<TrainingState> from_;
    std::optional<TrainingState> last_;
    bool is_written_ = true; ///< whether last_ is
    std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

/// Descriptors to learn from.
struct GatheredRows {
    std::unique_ptr<Descriptors> in_memory; ///< null where they stay in their files
    std::unique_ptr<DescriptorRows> rows;
    std::unique_ptr<Descriptors> share = {};  ///< of a team's member, in memory: what `rows` reads
    std::unique_ptr<DescriptorRows> all = {}; ///< of a team, once each member has its share
    std::uint64_t total = 0;                  ///< of all members
    std::uint64_t seen = 0;                   ///< descriptors that these were drawn from
    std::optional<Recipe> made_by = {};       ///< by the first file that states it
    StreamCounts counts = {};
    std::optional<GatheredSample> kept = {}; ///< all but the rows, where a checkpoint may keep them
};

/// Streams all inputs, and leaves out those that cannot be used. Begins after the inputs that the
/// checkpoint holds; when interrupted, writes the descriptors gathered so far there.
/// @param recipe  that images are extracted by
/// @throws as TrainingMemory, stream_descriptors() and Checkpoint::take_gathered()
GatheredRows gather_rows(const MemoryRequest &request, const InputList &list, const Recipe &recipe,
                         const Extractor &extractor, StreamOptions options, Checkpoint &checkpoint,
                         Observer &observer);

/// Trains. However it ends, the checkpoint gets its last state; when interrupted, also the
/// descriptors extracted from images.
Training keeping(GatheredRows &gathered, const TrainOptions &options, Checkpoint &checkpoint,
                 const Observer &observer, const std::function<Training()> &train);

} // namespace bowhist

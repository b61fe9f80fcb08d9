#pragma once

#include <bowhist/train/kmeans.hpp>

#include <chrono>
#include <filesystem>
#include <optional>

namespace bowhist {

/// The file of `train --checkpoint`: where a training goes on, and what it leaves there.
class Checkpoint {
  public:
    /// Without a path it does nothing. @throws Error{Fault::input} when the file is none;
    /// Error{Fault::output} when nothing can be written there
    Checkpoint(std::filesystem::path path, Observer &observer);

    /// Makes the training go on where the file is, and tell where it got to.
    /// @throws Error{Fault::usage} when the file is of another training
    void attach(const DescriptorRows &rows, TrainOptions &options);

    /// What the file has of these inputs, to be gathered no more.
    /// @param inputs  their fingerprint
    /// @throws Error{Fault::usage} when it has nothing but another training's
    std::optional<GatheredSample> take_gathered(const std::string &inputs);

    /// Writes the last state that it was given; before, it does so every few seconds. Where that
    /// fails (a full disk), what was there stays, and a warning says so: no training ends by it.
    void write();

    /// The same of a training that is interrupted, with what it has gathered.
    void write_interrupted(const TrainOptions &options, GatheredSample &&gathered);

    bool is_wanted() const { return !path_.empty(); }

  private:
    [[noreturn]] void refuse_other_inputs() const;
    void require_same(const TrainOptions &options, std::size_t dimensions) const;
    void keep(TrainingState &&state);

    std::filesystem::path path_;
    Observer &observer_;
    std::string descriptors_; ///< fingerprint
    std::optional<TrainingState> from_;
    std::optional<TrainingState> last_;
    bool is_written_ = true; ///< the last state
    std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

} // namespace bowhist

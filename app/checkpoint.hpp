#pragma once

#include <bowhist/train/kmeans.hpp>

#include <chrono>
#include <filesystem>
#include <optional>

namespace bowhist::app {

/// The file of `train --checkpoint`: where a training goes on, and what it leaves there.
class Checkpoint {
  public:
    /// Without a path it does nothing. @throws Error{Fault::input} when the file is none;
    /// Error{Fault::output} when nothing can be written there
    Checkpoint(std::filesystem::path path, Observer &observer);

    /// Makes the training go on where the file is, and tell where it got to.
    /// @throws Error{Fault::usage} when the file is of another training
    void attach(const DescriptorRows &rows, TrainOptions &options);

    /// Writes the last state that it was told; before, it does so every few seconds. Where that
    /// fails (a full disk), what was there stays, and a warning says so: no training ends by it.
    void write();

  private:
    void require_same(const TrainOptions &options, std::size_t dimensions) const;
    void keep(TrainingState &&state);

    std::filesystem::path path_;
    Observer &observer_;
    std::string descriptors_; ///< fingerprint
    std::optional<TrainingState> from_;
    std::optional<TrainingState> last_; ///< none that is not written
    std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

} // namespace bowhist::app

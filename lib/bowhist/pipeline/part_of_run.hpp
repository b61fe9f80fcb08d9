#pragma once

#include <bowhist/pipeline/part_record.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// A part and what it says of itself.
struct PartOfOneRun {
    std::filesystem::path path;
    PartHead head;
};

/// Sorts parts by their numbers.
/// @throws Error{Fault::input} where they are not of one run, one is missing, or one is there
///         twice; Fault::usage without any
void require_one_run(std::vector<PartOfOneRun> &parts);

/// A request for one shard of a run.
struct PartRequest {
    Shard shard;
    std::filesystem::path output; ///< ends in .part
    std::size_t dimensions = 0;   ///< of the extractor
    std::string vocabulary = {};  ///< fingerprint; empty without
    PartContent content = {};
};

/// A run over a shard of its inputs, which writes a part in place of the file.
///
/// Protocol: complete; if that is nothing, rows into writer(), then finish.
class PartOfRun {
  public:
    /// Leaves in `run.list` the shard's inputs alone. Inputs before them decide some settings for
    /// all that follow (the recipe of descriptor files, their dimensions); these are settled in
    /// `options`.
    /// @param run  lists all inputs
    /// @throws Error{Fault::usage} where the output does not end in .part
    PartOfRun(PartRequest &&request, InputSummary &run, StreamOptions &options);

    /// The counts of the run that made this very part, if it is there and whole. Nothing if an
    /// input was skipped and `options.strict` allows no gaps.
    std::optional<InputSummary> complete() const;

    /// Opened by the first call.
    PartWriter &writer();
    /// The part appears. @param run  as it was given, with its counts
    void finish(const InputSummary &run);

  private:
    std::filesystem::path output_;
    std::string head_;
    bool strict_;
    std::unique_ptr<PartWriter> writer_;
};

/// Refuses another ending than .part. @throws Error{Fault::usage}
void require_part_name(const std::filesystem::path &output);

/// Leaves the shard's range of the inputs. @return those before it
std::vector<Input> take_shard(const Shard &shard, std::vector<Input> &inputs);

/// The first descriptor file that can be used decides which recipe and which dimensions fit, and it
/// may be another shard's. Reads such files until that is known. An image counts as one that has
/// descriptors.
/// @param before      the inputs before the shard's
/// @param dimensions  of the extractor
void decide_by(std::span<const Input> before, std::size_t dimensions, StreamOptions &options);

/// The hash of the inputs' paths, in order, and of the places in their collections.
std::string hash_of(const std::vector<Input> &inputs);

} // namespace bowhist

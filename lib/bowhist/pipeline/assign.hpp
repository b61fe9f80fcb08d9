#pragma once

#include <bowhist/pipeline/run_summary.hpp>
#include <bowhist/team/shard.hpp>

#include <filesystem>
#include <optional>

namespace bowhist {

/// From descriptor files to a file of words.
struct AssignRequest {
    std::filesystem::path centroids;   ///< the vocabulary; its sidecar has the recipe
    bool descends = false;             ///< words are found by its tree
    InputSource inputs;                ///< descriptor files, folders of them
    std::filesystem::path output = {}; ///< .npy, int32; empty: standard output
    bool strict = false;               ///< the first input that cannot be used ends the work
    LevelRequest level = {};           ///< its observer and estimate are set here
    std::optional<Shard> shard =
        {}; ///< takes these inputs alone, and writes a part (merge_parts.hpp)
};

struct AssignRun {
    InputSummary inputs;
    std::optional<LevelPart> part; ///< nothing: the shard's part was there already
};

/// Writes the word of each descriptor, the inputs' rows one after another, prepared as the
/// vocabulary's were; with the step mirror an input's mirrored rows follow its rows. An input that
/// cannot be used, or whose descriptors do not fit the vocabulary, is reported to the observer and
/// left out.
/// @throws Error: usage for what cannot be meant (an output that is an input), vocabulary, device,
///         output; interrupted when the observer says so
AssignRun assign(const AssignRequest &request, Observer &observer);

} // namespace bowhist

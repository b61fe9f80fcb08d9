#pragma once

#include <bowhist/learn/checkpoint.hpp>
#include <bowhist/learn/training_memory.hpp>

#include <bowhist/core/descriptor_rows.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

#include <functional>
#include <memory>
#include <optional>

namespace bowhist {

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

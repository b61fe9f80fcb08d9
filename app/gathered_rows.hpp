#pragma once

#include "app/training_memory.hpp"

#include <bowhist/core/descriptor_rows.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

#include <memory>
#include <optional>

namespace bowhist::app {

/// Descriptors to learn from.
struct GatheredRows {
    std::unique_ptr<Descriptors> in_memory; ///< none where they stay in their files
    std::unique_ptr<DescriptorRows> rows;
    std::uint64_t seen = 0;             ///< descriptors that these were drawn from
    std::optional<Recipe> made_by = {}; ///< as the first file says that knows
    StreamCounts counts = {};
};

/// Streams all inputs through: what cannot be used is left out, wherever descriptors lie.
/// @throws as TrainingMemory and stream_descriptors()
GatheredRows gather_rows(const MemoryRequest &request, const InputList &list,
                         const Extractor &extractor, StreamOptions options, Observer &observer);

} // namespace bowhist::app

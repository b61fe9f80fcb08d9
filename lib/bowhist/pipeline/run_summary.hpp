#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

namespace bowhist {

/// The inputs of a run, and how many were read.
struct InputSummary {
    InputList list;
    StreamCounts counts;
    Recipe recipe;       ///< that images were extracted by
    std::size_t few = 0; ///< an image with fewer descriptors is one of counts.few
};

/// The part of a run that a level did.
struct LevelPart {
    LevelChoice level;
    AssignmentReport report;
};

} // namespace bowhist

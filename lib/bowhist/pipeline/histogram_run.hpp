#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/pipeline/histograms.hpp>
#include <bowhist/pipeline/recipe.hpp>

namespace bowhist {

/// From inputs to histograms, and by which level. All that it refers to outlives the run.
struct HistogramRequest {
    const InputList &inputs;
    const PreparedRecipe &recipe;
    const Vocabulary &vocabulary;
    LevelRequest level;       ///< its prefers_gpu and host_seconds are set by the run
    HistogramOptions options; ///< its words, counter and `enough` likewise
};

/// What a level did of a run.
struct LevelPart {
    LevelChoice level;
    AssignmentReport report;
};

struct HistogramRun {
    StreamCounts counts;
    std::vector<LevelPart> parts; ///< in order: one, or the host's and then a device's
};

/// Chooses the level, prepares what it needs, and makes the histograms. auto begins on the host
/// where a GPU would have to be started: after a tenth of a second it knows how much is left, and
/// moves to the GPU if that takes longer than its start. The rows are the same.
/// @throws as choose_level and make_histograms of histograms.hpp
HistogramRun run_histograms(HistogramRequest request, HistogramWriter &writer, Observer &observer);

} // namespace bowhist

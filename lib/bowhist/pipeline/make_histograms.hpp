#pragma once

#include <bowhist/core/histogram.hpp>
#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/pipeline/run_summary.hpp>
#include <bowhist/team/shard.hpp>

#include <filesystem>
#include <optional>
#include <vector>

namespace bowhist {

/// From images to a file of histograms.
struct HistogramRequest {
    std::filesystem::path centroids;   ///< the vocabulary; its sidecar has the recipe
    bool descends = false;             ///< words are found by its tree
    InputSource inputs;                ///< images, folders, descriptor files
    std::filesystem::path output = {}; ///< its ending is the format; empty: CSV, standard output
    Normalization normalization = Normalization::none; ///< weighs() by the sidecar's frequencies
    bool labels_by_folder = false; ///< in .svm: the number of the folder of each image
    RecipeRequest recipe = {};     ///< what differs from the sidecar's
    StreamOptions stream = {};     ///< threads, limits of images, strict
    LevelRequest level = {};       ///< its threads, observer and estimates are set here
    std::optional<Shard> shard =
        {}; ///< takes these inputs alone, and writes a part (merge_parts.hpp)
};

struct HistogramRun {
    InputSummary inputs;
    std::vector<LevelPart> parts; ///< in order: one, or the host's and then a device's
    bool was_complete = false;    ///< the shard's part was there already
};

/// Writes a histogram for each image, in the order of the inputs. An input that cannot be used is
/// reported to the observer and left out. The file appears when all is done, and not before.
///
/// auto begins on the host where a GPU would have to be started: after a tenth of a second it knows
/// how much is left, and moves to the GPU if that takes longer than its start. The rows are the
/// same.
/// @throws Error: usage for what cannot be meant (an output that is an input), vocabulary, device,
///         output; interrupted when the observer says so
HistogramRun make_histograms(const HistogramRequest &request, Observer &observer);

} // namespace bowhist

#pragma once

#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/pipeline/run_summary.hpp>
#include <bowhist/train/kmeans.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace bowhist {

/// From images to a vocabulary.
struct LearnRequest {
    std::filesystem::path output; ///< c.bin; c.bin.json, how it was made, appears beside it
    InputSource inputs;           ///< images, folders, descriptor files
    RecipeRequest recipe = {};
    PreparationSteps steps = {}; ///< of descriptors before words; recorded in the sidecar
    StreamOptions stream = {};   ///< threads, limits of images, strict
    TrainOptions training = {};
    std::size_t sample = 1'000'000;       ///< descriptors to learn from, drawn by the seed; 0: all
    std::size_t descriptors_per_word = 0; ///< above 0: lowers k until each word has as many, but
                                          ///< not below fewest_words where there are as many
    static constexpr std::size_t fewest_words = 256;
    std::size_t counted_images = 0;        ///< of the inputs, drawn by the seed, that words are
                                           ///< counted in afterwards
    std::uint64_t memory = 0;              ///< bytes of the whole program; 0: half of what is free
    LevelRequest level = {};               ///< its threads, observer and estimates are set here
    std::filesystem::path checkpoint = {}; ///< .npz; empty: nothing is kept
    Team *team = &one_process();           ///< who share the work; rank 0 alone writes
    std::vector<std::filesystem::path> further_outputs; ///< that the caller writes: they must
                                                        ///< differ from inputs and outputs, too
};

struct LearnRun {
    InputSummary inputs;
    Training training;
    LevelChoice level;
};

/// Draws descriptors of the inputs, trains, and writes the vocabulary with its sidecar. A level,
/// device or file that cannot be had ends the run before an image is opened. An input that cannot
/// be used is reported to the observer and left out. With a checkpoint the training resumes where
/// an earlier one was interrupted.
/// Steps need descriptors in memory, and no checkpoint. With counted_images the sidecar gets the
/// frequencies of words (core/weights.hpp); these images are read again.
/// The members of a team make the same call; each gets the vocabulary. They take no checkpoint.
/// @throws Error: usage for what cannot be meant, input where no input gives a descriptor, device,
///         output; interrupted when the observer says so
LearnRun learn(const LearnRequest &request, Observer &observer);

} // namespace bowhist

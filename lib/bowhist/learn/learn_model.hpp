#pragma once

#include <bowhist/core/codes.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/learn/learn.hpp>

#include <cstddef>
#include <optional>

namespace bowhist {

/// From images to a model of rows and codes.
struct ModelRequest {
    static constexpr std::size_t usual_words = 512;
    static constexpr std::size_t usual_sample = 200'000;
    static constexpr std::size_t most_components = 4096;

    LearnRequest learn; ///< its output is photos.npz; its sample above 0; without a checkpoint.
                        ///< `dense` takes patches of 8,16,24,32,48,64 pixels at a step of 8 where
                        ///< it was given no others
    std::optional<PreparationSteps> steps = {}; ///< else root,whiten:48,position,scale,contrast
                                                ///< and, where it is known how, mirror
    std::size_t components = 128;               ///< of a code; 0: rows stay whole
    bool fewer_words = false; ///< where there are fewer prepared rows than words, as many words
};

/// Draws descriptors of the inputs, learns their preparation, trains words on the prepared rows,
/// encodes at most 4000 images, drawn by the seed, learns their projection, and writes the model.
/// The same inputs and options give the same bytes, for any level, device and number of threads,
/// and for any team, whose members make the same call.
/// @throws as learn(); Error{Fault::usage} for steps that do not suit the descriptors, and for rows
///         of more than 2^24 numbers or ones that do not fit into learn.memory
LearnRun learn_model(const ModelRequest &request, Observer &observer);

/// Images with the codes that a model makes of them.
struct CodedImages {
    InputSummary inputs;
    std::vector<std::string> images; ///< path bytes, in the order of the inputs
    Codes codes;                     ///< of each; zeros where an image has no descriptors
    ShownWords shown;                ///< of the model, by each image
    VladModel model;
    LevelChoice level;
    AssignmentReport report;
};

/// The same without a file: learns a model of the images and makes their codes. Rank 0 of a team
/// alone gets the images with their codes.
/// @param request  its output is not used; its components above 0
/// @throws as learn_model
CodedImages learn_codes(const ModelRequest &request, Observer &observer);

} // namespace bowhist

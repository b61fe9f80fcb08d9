#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/vlad_model.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// An image by a model: a code, or a whole row where the model has no projection.
struct EncodedImage {
    std::string image;             ///< path bytes
    std::uint32_t descriptors = 0; ///< without mirrored ones
    std::vector<std::int8_t> code;
    std::vector<float> row;
};

/// Images in, codes or rows out, in input order. Descriptors are prepared on the threads that
/// extract them; the prepared rows of many images are assigned together. An image without
/// descriptors has zeros. Memory does not grow with the number of inputs.
/// @param options   as PreparedRecipe made them by descriptors_of(); its `dimensions` and `prepare`
///                  are set here
/// @param assigner  of any level, prepared for the model's words
/// @throws as stream_descriptors, the assigner and `sink`
StreamCounts stream_encoded(std::span<const Input> inputs, const Extractor &extractor,
                            const VladModel &model, Assigner &assigner, StreamOptions options,
                            Observer &observer, const std::function<void(EncodedImage &&)> &sink);

/// What PreparedRecipe needs to know of a model: what its descriptors are made by, and their
/// dimensions. No words.
VocabularyPair descriptors_of(const VladModel &model, const std::filesystem::path &path);

} // namespace bowhist

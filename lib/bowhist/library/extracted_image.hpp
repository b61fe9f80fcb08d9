#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/pictures/header/image_traits.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace bowhist {

/// An image's descriptors for each description, before they have words.
struct ExtractedImage {
    int width = 0; ///< pixels of the upright original
    int height = 0;
    ImageTraits traits = {};
    std::string thumbnail;
    std::optional<std::int64_t> color = {}; ///< of the thumbnail (chroma_beyond_tone.hpp)
    Descriptors words = {};                 ///< prepared as the vocabulary asks
    int words_width = 0;                    ///< pixels of the image that they lie in
    int words_height = 0;
    Descriptors code = {};   ///< prepared as the model asks
    std::uint32_t found = 0; ///< descriptors of the code before that
    std::string damage = {}; ///< what is wrong with a damaged image that the limits keep
};

} // namespace bowhist

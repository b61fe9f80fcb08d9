#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/preparation.hpp>
#include <bowhist/core/weights.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/team/team.hpp>

#include <cstdint>
#include <span>

namespace bowhist {

/// The words to count, and the number of images.
struct CountRequest {
    const Vocabulary *words = nullptr;        ///< outlives the call
    const Preparation *preparation = nullptr; ///< of descriptors before words; null: none
    std::size_t most_images = 0;
    std::uint64_t seed = 0;        ///< draws the images where there are more
    bool in_little_memory = false; ///< rather than fast
    Team *team = &one_process();   ///< who share the images
};

/// In how many of the inputs each word occurs, all of their descriptors counted. An input that
/// cannot be used is left out without a line: an earlier reading reported it. Words are exact, and
/// so are the frequencies.
/// @throws as stream_descriptors and the assigner; nothing where no image has descriptors
std::optional<WordFrequencies> count_words(const CountRequest &request,
                                           std::span<const Input> inputs,
                                           const Extractor &extractor, const LevelChoice &level,
                                           StreamOptions options, Observer &observer);

} // namespace bowhist

#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// An image's rows with their words. Borrowed: valid during the call that gets it.
struct ImageWords {
    const Described &described; ///< without the rows' values; its keypoints are there where known
    std::span<const float> rows;
    std::span<const std::int32_t> words; ///< of each row WordFinder::each
};

/// How words are found.
struct WordFinder {
    using Find = std::function<std::vector<std::int32_t>(std::span<const float> rows)>;
    Find of_rows;         ///< of many images' rows; one thread at a time
    Find of_image = {};   ///< any thread; empty where it is better to gather many images
    std::size_t each = 1; ///< words of a row

    WordFinder(Find find, Find find_alone, std::size_t each);
    /// A row's word. @param assigner  outlives it
    WordFinder(Assigner &assigner); // NOLINT(google-explicit-constructor)
};

/// An image with its row of numbers: a code or floats.
struct EncodedImage {
    std::string image;             ///< path bytes
    std::size_t number = 0;        ///< of the input among all
    std::uint32_t descriptors = 0; ///< before they were prepared: without mirrored ones
    std::vector<std::int8_t> code;
    std::vector<float> row;
    std::vector<std::uint8_t> shown = {}; ///< by a model: words, as ShownWords has them
};

/// Inputs in, a row of numbers of each out, in input order. On the host an image's words are found
/// by the thread that extracted it; on a device those of many images together. Memory does not grow
/// with the number of inputs.
/// @param options  its `dimensions` are those of the words
/// @param encode   fills in the code or the row; called by many threads
/// @throws as stream_descriptors, the search, `encode` and `sink`
StreamCounts stream_words(std::span<const Input> inputs, const Extractor &extractor,
                          const StreamOptions &options, const WordFinder &search,
                          Observer &observer,
                          const std::function<void(const ImageWords &, EncodedImage &)> &encode,
                          const std::function<void(EncodedImage &&)> &sink);

} // namespace bowhist

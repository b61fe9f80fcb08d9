#pragma once

#include <bowhist/pipeline/make_histograms.hpp>
#include <bowhist/show/word_examples.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bowhist {

/// The vocabulary that is to be shown, and how.
struct ShowRequest {
    std::filesystem::path vocabulary; ///< c.bin, or a library
    InputSource inputs = {};          ///< images, folders, descriptor files; of a library none are
                                      ///< needed: its own images
    std::vector<std::filesystem::path> outputs = {}; ///< are to be no inputs
    std::size_t nearest = 6;                         ///< descriptors of each word
    std::size_t border = 3;
    std::size_t most_images = 1000; ///< of a library's own images that are read, evenly drawn; 0:
                                    ///< all
    RecipeRequest recipe = {};      ///< what differs from the sidecar's
    StreamOptions stream = {};
    LevelRequest level = {};
};

struct ShownVocabulary {
    std::vector<WordUse> uses; ///< of each word; its counts are those of all images
    std::uint64_t images = 0;  ///< that have descriptors: those that are counted
    std::uint64_t descriptors = 0;
    std::vector<double> idf;        ///< of each word, as --normalize tfidf weighs it
    std::vector<std::string> names; ///< of the images that examples lie in: path bytes
    std::vector<std::string> files; ///< of each, from the working directory
    bool is_drawn = false;          ///< examples are from some of the images
    std::string made_by;            ///< "surf --threshold 10 ..."
    InputSummary inputs;            ///< that were read
};

/// Finds what a vocabulary's words look like: reads the inputs once, whose descriptors are made as
/// the vocabulary's were. The same for any level and number of threads. For a library without
/// inputs, each image's counts are those that the library holds, and some of its files are read for
/// examples.
/// @throws Error{Fault::usage} for a library without words; as make_histograms and Library
ShownVocabulary show_words(const ShowRequest &request, Observer &observer);

} // namespace bowhist

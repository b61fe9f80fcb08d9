#pragma once

#include <bowhist/core/folder_labels.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/core/weights.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace bowhist {

/// The properties that all rows of a file of histograms have in common.
struct HistogramFileInfo {
    std::size_t words = 0; ///< k
    Normalization normalization = Normalization::none;
    std::string fingerprint = {};            ///< of the vocabulary
    std::string extractor = {};              ///< its name and options, for people
    std::optional<WordWeights> weights = {}; ///< of the normalization, where it weighs()
    std::optional<FolderLabels> labels = {}; ///< of .svm; without them 0
    std::string rule = {};                   ///< VocabularyPair::rule()
};

/// Writes histograms row by row, in constant memory; docs/formats.md describes each format.
///
/// Protocol: write*, then finish, with which the file appears.
class HistogramWriter {
  public:
    virtual ~HistogramWriter() = default;
    virtual void write(const Histogram &row) = 0;
    virtual void finish() = 0;
};

/// The format follows the ending: .csv .npy .npz .jsonl .svm .fbin .fvecs; an empty path is CSV on
/// standard output. @throws Error{Fault::usage} for another ending, Error{Fault::output} when it
/// cannot be written.
std::unique_ptr<HistogramWriter> open_histograms(const std::filesystem::path &path,
                                                 const HistogramFileInfo &info);

} // namespace bowhist

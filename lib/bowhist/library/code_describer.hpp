#pragma once

#include <bowhist/encode/vlad.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/descriptor_source.hpp>
#include <bowhist/library/extracted_image.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// Codes.
class CodeDescriber {
  public:
    /// @param model  outlives it
    CodeDescriber(const VladModel &model, const DescribeOptions &options, Observer &observer);

    const DescriptorSource &source() const { return source_; }
    std::string text() const { return source_.text(level_); }

    /// Fills in the code of each image's row.
    void describe(std::span<const ExtractedImage> images, std::vector<ContentRow> &rows);

    /// Whether describe_alone() may be called.
    bool describes_alone() const { return finds_words_alone(*assigner_); }
    /// The same of one image, on this thread. Any thread, many at a time.
    void describe_alone(const ExtractedImage &image, ContentRow &row) const;

  private:
    void write(const ExtractedImage &image, std::span<const float> values,
               std::span<const std::int32_t> words, ContentRow &row) const;

    const VladModel &model_;
    VocabularyPair recorded_;
    DescriptorSource source_;
    VladEncoder encoder_;
    LevelChoice level_;
    std::unique_ptr<Assigner> assigner_;
    Rows rows_;
};

} // namespace bowhist

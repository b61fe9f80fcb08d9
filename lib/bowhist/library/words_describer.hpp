#pragma once

#include <bowhist/encode/mirrored.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/descriptor_source.hpp>
#include <bowhist/library/extracted_image.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// Words with their places.
class WordsDescriber {
  public:
    /// @param pair, options  outlive it
    WordsDescriber(const VocabularyPair &pair, const DescribeOptions &options, Observer &observer);

    const DescriptorSource &source() const { return source_; }
    std::string text() const { return source_.text(level_); }

    /// Fills in the words, places and mirrored words of each image's row.
    void describe(std::span<const ExtractedImage> images, std::vector<ContentRow> &rows);

    /// Whether describe_alone() may be called.
    bool describes_alone() const { return finds_words_alone(*assigner_); }
    /// The same of one image, on this thread. Any thread, many at a time.
    void describe_alone(const ExtractedImage &image, ContentRow &row) const;

  private:
    void mirror_all(std::vector<float> &values, std::size_t dimensions) const;
    void write(const ExtractedImage &image, std::span<const std::int32_t> words,
               std::span<const std::int32_t> mirrored, ContentRow &row) const;

    const VocabularyPair &pair_;
    DescriptorSource source_;
    const DescribeOptions &options_;
    Mirroring mirroring_;
    LevelChoice level_;
    std::unique_ptr<Assigner> assigner_;
    Rows rows_;
};

} // namespace bowhist

#pragma once

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/extracted_image.hpp>
#include <bowhist/library/models.hpp>
#include <bowhist/library/update.hpp>
#include <bowhist/pictures/image_views.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

class WordsDescriber;
class CodeDescriber;

/// Makes both descriptions of images, from one decoding of each.
class Describer {
  public:
    /// @param models  outlive it
    /// @throws as PreparedRecipe, choose_level
    Describer(const LibraryModels &models, const DescribeOptions &options, Observer &observer);
    ~Describer();

    /// Any thread, many at a time. @throws as read_image
    ExtractedImage extract(ImageFile &file, const std::filesystem::path &path) const;

    /// The views that extract() decodes of a file.
    const ViewRequest &views() const { return views_; }
    /// The same of an image that was decoded elsewhere.
    ExtractedImage extract(ImageViews &&views) const;

    /// One thread at a time.
    std::vector<ContentRow> describe(std::span<const ExtractedImage> images);

    /// Whether describe_alone() may be called: where all words are found on the host.
    bool describes_alone() const;
    /// The same row, made on this thread: its descriptors are in the caches still. Any thread, many
    /// at a time.
    ContentRow describe_alone(const ExtractedImage &image) const;

    /// "surf ..., assigning with simd on the host": for people.
    std::string text() const;

  private:
    ContentRow row_of(const ExtractedImage &image) const;

    DescribeOptions options_;
    std::unique_ptr<WordsDescriber> words_;
    std::unique_ptr<CodeDescriber> code_;
    ViewRequest views_;
};

} // namespace bowhist

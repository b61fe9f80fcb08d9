#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/encode/vlad.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/models.hpp>
#include <bowhist/library/update.hpp>
#include <bowhist/pictures/image_views.hpp>
#include <bowhist/pipeline/recipe.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace bowhist {

/// An image's descriptors for each description, before they have words.
struct ExtractedImage {
    int width = 0; ///< pixels of the upright original
    int height = 0;
    std::optional<std::string> captured;
    std::string thumbnail;
    Descriptors words = {}; ///< prepared as the vocabulary asks
    int words_width = 0;    ///< pixels of the image that they lie in
    int words_height = 0;
    Descriptors code = {};   ///< prepared as the model asks
    std::uint32_t found = 0; ///< descriptors of the code before that
    std::string damage = {}; ///< what is wrong with a damaged image that the limits keep
};

/// Makes both descriptions of images, from one decoding of each.
class Describer {
  public:
    /// @param models  outlive it
    /// @throws as PreparedRecipe, choose_level
    Describer(const LibraryModels &models, const DescribeOptions &options, Observer &observer);
    ~Describer();

    /// Any thread, many at a time. @throws as read_image
    ExtractedImage extract(ImageFile &file, const std::filesystem::path &path) const;

    /// What extract() decodes of a file.
    const ViewRequest &views() const { return views_; }
    /// The same of an image that was decoded elsewhere.
    ExtractedImage extract(ImageViews &&views) const;

    /// One thread at a time.
    std::vector<ContentRow> describe(std::span<const ExtractedImage> images);

    /// "surf ..., assigning with simd on the host": for people.
    std::string text() const;

  private:
    class Words;
    class Code;

    DescribeOptions options_;
    std::unique_ptr<Words> words_;
    std::unique_ptr<Code> code_;
    ViewRequest views_;
};

} // namespace bowhist

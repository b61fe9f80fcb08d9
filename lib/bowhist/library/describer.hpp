#pragma once

#include <bowhist/encode/mirrored.hpp>
#include <bowhist/encode/vlad.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/describe_options.hpp>
#include <bowhist/library/extracted_image.hpp>
#include <bowhist/library/models.hpp>
#include <bowhist/pictures/image_views.hpp>
#include <bowhist/pipeline/encoded_stream.hpp>
#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// Makes the prepared descriptors of images, by a recipe.
class DescriptorSource {
  public:
    DescriptorSource(const VocabularyPair &recorded, const DescribeOptions &options,
                     Observer &observer);

    GreyView view() const { return {options_.image.max_side, options_.image.enlarge}; }
    const Recipe &recipe() const { return recipe_.recipe(); }
    void set_prepare(std::function<void(Described &)> prepare) {
        options_.prepare = std::move(prepare);
    }

    Described describe(Image image) const;

    /// "surf ..., assigning with simd on the host"
    std::string text(const LevelChoice &level) const;

  private:
    PreparedRecipe recipe_;
    StreamOptions options_;
};

/// The level that finds the words of that many rows of each image.
/// @param tree  that they are found by; null: by the rule
LevelChoice level_for(const DescribeOptions &options, const Vocabulary &words, double rows,
                      Observer &observer, std::shared_ptr<const VocabularyTree> tree = {});

/// Whether many threads may each find the words of an image.
bool finds_words_alone(Assigner &assigner);

/// Rows of many images, end to end, in memory that is used again and again.
struct Rows {
    void clear() {
        values.clear();
        ends.clear();
    }
    std::vector<float> values;
    std::vector<std::size_t> ends; ///< of each image, in rows

    void add(const std::vector<float> &more, std::size_t dimensions) {
        values.insert(values.end(), more.begin(), more.end());
        ends.push_back(values.size() / dimensions);
    }
    std::size_t first(std::size_t image) const { return image == 0 ? 0 : ends[image - 1]; }
    std::size_t count(std::size_t image) const { return ends[image] - first(image); }
};

/// Calls `work` with each number below `count`, on all threads.
void for_all(std::size_t count, const std::function<void(std::size_t)> &work);

class WordsDescriber;
class CodeDescriber;

/// Makes both descriptions of images, from one decoding of each.
class Describer {
  public:
    /// @param models  outlive it
    /// @throws as PreparedRecipe, choose_level
    Describer(const LibraryModels &models, const DescribeOptions &options, Observer &observer);
    ~Describer();

    /// Any thread, many at a time. @param isolation  of its decoders; else that of the options
    /// @throws as read_image
    ExtractedImage extract(ImageFile &file, const std::filesystem::path &path,
                           std::optional<Isolation> isolation = {}) const;

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

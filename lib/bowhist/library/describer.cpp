#include <bowhist/library/describer.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/library/code_describer.hpp>
#include <bowhist/library/words_describer.hpp>
#include <bowhist/pictures/chroma_beyond_tone.hpp>

#include <fmt/format.h>
#include <tbb/task_arena.h>

namespace bowhist {

Describer::Describer(const LibraryModels &models, const DescribeOptions &options,
                     Observer &observer)
    : options_(options), views_{.greys = {}, .thumbnail_side = options.thumbnail_side} {
    require_decoders();
    if (models.words) words_ = std::make_unique<WordsDescriber>(*models.words, options_, observer);
    if (models.code) code_ = std::make_unique<CodeDescriber>(*models.code, options_, observer);
    if (words_) views_.greys.push_back(words_->source().view());
    if (code_) views_.greys.push_back(code_->source().view());
}

Describer::~Describer() = default;

ExtractedImage Describer::extract(ImageFile &file, const std::filesystem::path &path) const {
    // Isolated: in a decoder that waits for loops of TBB's, a thread could take up another image,
    // and wait for the room that its first one holds.
    return extract(tbb::this_task_arena::isolate(
        [&] { return decode_views(file, path, options_.stream.image, views_); }));
}

ExtractedImage Describer::extract(ImageViews &&views) const {
    ExtractedImage image{.width = views.width,
                         .height = views.height,
                         .traits = std::move(views.traits),
                         .thumbnail = std::move(views.thumbnail),
                         .damage = views.damage};
    if (!image.thumbnail.empty()) image.color = chroma_beyond_tone(image.thumbnail);
    if (words_) {
        Described described = words_->source().describe(std::move(views.grey.front()));
        image.words = std::move(described.descriptors);
        image.words_width = described.width;
        image.words_height = described.height;
    }
    if (code_) {
        Described described = code_->source().describe(std::move(views.grey.back()));
        image.code = std::move(described.descriptors);
        image.found = static_cast<std::uint32_t>(described.found);
    }
    return image;
}

/// Without words and code.
ContentRow Describer::row_of(const ExtractedImage &image) const {
    ContentRow row;
    row.width = image.width;
    row.height = image.height;
    row.color = image.color;
    row.take(image.traits);
    if (options_.thumbnail_side > 0) row.thumbnail = image.thumbnail;
    return row;
}

std::vector<ContentRow> Describer::describe(std::span<const ExtractedImage> images) {
    std::vector<ContentRow> rows;
    for (const ExtractedImage &image : images) rows.push_back(row_of(image));
    if (words_) words_->describe(images, rows);
    if (code_) code_->describe(images, rows);
    return rows;
}

bool Describer::describes_alone() const {
    return (!words_ || words_->describes_alone()) && (!code_ || code_->describes_alone());
}

ContentRow Describer::describe_alone(const ExtractedImage &image) const {
    ContentRow row = row_of(image);
    if (words_) words_->describe_alone(image, row);
    if (code_) code_->describe_alone(image, row);
    return row;
}

std::string Describer::text() const {
    return fmt::format("{}{}{}", words_ ? "words: " + words_->text() : "",
                       words_ && code_ ? "; " : "", code_ ? "code: " + code_->text() : "");
}

} // namespace bowhist

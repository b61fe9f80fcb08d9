#include <bowhist/library/describer.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/library/code_describer.hpp>
#include <bowhist/library/words_describer.hpp>

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
                         .captured = std::move(views.captured),
                         .thumbnail = std::move(views.thumbnail),
                         .damage = views.damage};
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

std::vector<ContentRow> Describer::describe(std::span<const ExtractedImage> images) {
    std::vector<ContentRow> rows(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        rows[i].width = images[i].width;
        rows[i].height = images[i].height;
        rows[i].captured = images[i].captured;
        if (options_.thumbnail_side > 0) rows[i].thumbnail = images[i].thumbnail;
    }
    if (words_) words_->describe(images, rows);
    if (code_) code_->describe(images, rows);
    return rows;
}

std::string Describer::text() const {
    return fmt::format("{}{}{}", words_ ? "words: " + words_->text() : "",
                       words_ && code_ ? "; " : "", code_ ? "code: " + code_->text() : "");
}

} // namespace bowhist

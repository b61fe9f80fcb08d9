#include <bowhist/library/describer.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/encode/code.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/library/places.hpp>
#include <bowhist/library/stored_words.hpp>
#include <bowhist/pictures/chroma_beyond_tone.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <numeric>

namespace bowhist {
namespace {

/// An image in the list, so that a recipe opens what images need.
const InputList &one_image() {
    static const InputList list{.inputs = {{"image.jpg", "image.jpg"}}};
    return list;
}

} // namespace

DescriptorSource::DescriptorSource(const VocabularyPair &recorded, const DescribeOptions &options,
                                   Observer &observer)
    : recipe_({}, recorded),
      options_(recipe_.options_for(one_image(), options.stream,
                                   {options.level.device, options.level.kernel_dir}, observer)) {}

Described DescriptorSource::describe(Image image) const {
    if (options_.preprocessor) image = options_.preprocessor->run(image);
    Described described;
    described.width = image.width;
    described.height = image.height;
    described.descriptors = recipe_.extractor().extract(image);
    described.found = described.descriptors.size();
    if (options_.prepare) options_.prepare(described);
    return described;
}

std::string DescriptorSource::text(const LevelChoice &level) const {
    return as_options(recipe()) + ", assigning with " + level.name();
}

LevelChoice level_for(const DescribeOptions &options, const Vocabulary &words, double rows,
                      Observer &observer, std::shared_ptr<const VocabularyTree> tree) {
    LevelRequest wished = options.level;
    wished.options.tree = std::move(tree);
    wished.options.threads = options.stream.threads;
    wished.options.observer = &observer;
    wished.host_seconds =
        host_seconds(wished, words.dimensions, words.size(), rows * options.images);
    return choose_level(wished, words.dimensions, words.size());
}

bool finds_words_alone(Assigner &assigner) {
    const HostAssigner *const host = assigner.on_host();
    return host != nullptr && !host->has_one_thread();
}

void for_all(std::size_t count, const std::function<void(std::size_t)> &work) {
    // Isolated: a thread that waits for the others must not take up an image to extract.
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t{0}, count, work); });
}

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

ExtractedImage Describer::extract(ImageFile &file, const std::filesystem::path &path,
                                  std::optional<Isolation> isolation) const {
    ImageLimits limits = options_.stream.image;
    limits.isolation = isolation.value_or(limits.isolation);
    // Isolated: in a decoder that waits for loops of TBB's, a thread could take up another image,
    // and wait for the room that its first one holds.
    return extract(
        tbb::this_task_arena::isolate([&] { return decode_views(file, path, limits, views_); }));
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

CodeDescriber::CodeDescriber(const VladModel &model, const DescribeOptions &options,
                             Observer &observer)
    : model_(model), recorded_(descriptors_of(model, "code")),
      source_(recorded_, options, observer), encoder_(model.words, model.exponent),
      level_(level_for(options, model.words, 8000, observer)),
      assigner_(level_.prepare(model.words)) {
    source_.set_prepare([&model](Described &described) {
        described.descriptors = bowhist::prepare(model.preparation, described.descriptors,
                                                 described.width, described.height);
    });
}

void CodeDescriber::describe(std::span<const ExtractedImage> images,
                             std::vector<ContentRow> &rows) {
    const std::size_t dimensions = model_.words.dimensions;
    Rows &all = rows_;
    all.clear();
    for (const ExtractedImage &image : images) all.add(image.code.values, dimensions);
    const auto words = assigner_->run({all.values, {}, 1}).words;
    for_all(images.size(), [&](std::size_t i) {
        const auto values =
            std::span(all.values).subspan(all.first(i) * dimensions, all.count(i) * dimensions);
        write(images[i], values, std::span(words).subspan(all.first(i), all.count(i)), rows[i]);
    });
}

void CodeDescriber::describe_alone(const ExtractedImage &image, ContentRow &row) const {
    write(image, image.code.values, assigner_->on_host()->words(image.code.values), row);
}

void CodeDescriber::write(const ExtractedImage &image, std::span<const float> values,
                          std::span<const std::int32_t> words, ContentRow &row) const {
    row.code.emplace(model_.row_size(), '\0');
    row.descriptors = image.found;
    if (words.empty()) return;
    const auto code =
        bowhist::code_of(project(model_.projection, whole_row(encoder_.encode(values, words))));
    std::ranges::transform(code, row.code->begin(),
                           [](std::int8_t value) { return static_cast<char>(value); });
}

namespace {

void append_word(std::string &bytes, std::int32_t word, std::size_t size) {
    const auto value = static_cast<std::uint32_t>(word);
    for (std::size_t byte = 0; byte < size; ++byte)
        bytes += static_cast<char>((value >> (8 * byte)) & 0xffU);
}

void mirror_row(std::span<float> row, Mirroring how) {
    const std::vector<float> copy(row.begin(), row.end());
    mirror(copy, how, row);
}

} // namespace

WordsDescriber::WordsDescriber(const VocabularyPair &pair, const DescribeOptions &options,
                               Observer &observer)
    : pair_(pair), source_(pair, options, observer), options_(options),
      mirroring_(options.mirrored && !pair.recorded.preparation() ? mirroring_of(source_.recipe())
                                                                  : Mirroring::none),
      level_(level_for(options, pair.vocabulary, 600, observer, pair.tree)),
      assigner_(level_.prepare(pair.vocabulary)) {}

void WordsDescriber::describe(std::span<const ExtractedImage> images,
                              std::vector<ContentRow> &rows) {
    const std::size_t dimensions = pair_.vocabulary.dimensions;
    Rows &all = rows_;
    all.clear();
    for (const ExtractedImage &image : images) all.add(image.words.values, dimensions);
    const auto words = assigner_->run({all.values, {}, 1}).words;
    std::vector<std::int32_t> mirrored;
    if (mirroring_ != Mirroring::none) {
        mirror_all(all.values, dimensions);
        mirrored = assigner_->run({all.values, {}, 1}).words;
    }
    for_all(images.size(), [&](std::size_t i) {
        const auto of = [&](const std::vector<std::int32_t> &some) {
            return some.empty() ? std::span<const std::int32_t>()
                                : std::span(some).subspan(all.first(i), all.count(i));
        };
        write(images[i], of(words), of(mirrored), rows[i]);
    });
}

void WordsDescriber::describe_alone(const ExtractedImage &image, ContentRow &row) const {
    HostAssigner &assigner = *assigner_->on_host();
    const std::vector<std::int32_t> words = assigner.words(image.words.values);
    std::vector<std::int32_t> mirrored;
    if (mirroring_ != Mirroring::none) {
        std::vector<float> values = image.words.values;
        const std::size_t dimensions = pair_.vocabulary.dimensions;
        for (std::size_t first = 0; first < values.size(); first += dimensions)
            mirror_row(std::span(values).subspan(first, dimensions), mirroring_);
        mirrored = assigner.words(values);
    }
    write(image, words, mirrored, row);
}

void WordsDescriber::mirror_all(std::vector<float> &values, std::size_t dimensions) const {
    for_all(values.size() / dimensions, [&](std::size_t i) {
        mirror_row(std::span(values).subspan(i * dimensions, dimensions), mirroring_);
    });
}

/// Rising words; those of one word by their places.
void WordsDescriber::write(const ExtractedImage &image, std::span<const std::int32_t> words,
                           std::span<const std::int32_t> mirrored, ContentRow &row) const {
    const std::size_t size = bytes_of_word(pair_.vocabulary.size());
    const auto &keypoints = image.words.keypoints;
    const bool with_places = options_.positions && keypoints.size() == words.size();
    std::vector<std::size_t> order(words.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return words[i]; });
    row.words.emplace();
    for (const std::size_t i : order) append_word(*row.words, words[i], size);
    if (!with_places) return;
    row.places.emplace();
    for (const std::size_t i : order)
        append_place(*row.places, place_of(keypoints[i], image.words_width, image.words_height));
    if (mirrored.empty()) return;
    row.mirrored.emplace();
    for (const std::size_t i : order) append_word(*row.mirrored, mirrored[i], size);
}

} // namespace bowhist

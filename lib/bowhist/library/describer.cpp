#include <bowhist/library/describer.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/encode/code.hpp>
#include <bowhist/encode/mirrored.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/library/places.hpp>
#include <bowhist/pipeline/encoded_stream.hpp>

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

/// What a recipe makes of images, up to their prepared descriptors.
class Source {
  public:
    Source(const VocabularyPair &recorded, const DescribeOptions &options, Observer &observer)
        : recipe_({}, recorded),
          options_(recipe_.options_for(one_image(), options.stream,
                                       {options.level.device, options.level.kernel_dir},
                                       observer)) {}

    GreyView view() const { return {options_.image.max_side, options_.image.enlarge}; }
    const Recipe &recipe() const { return recipe_.recipe(); }
    void set_prepare(std::function<void(Described &)> prepare) {
        options_.prepare = std::move(prepare);
    }

    Described describe(Image image) const {
        if (options_.preprocessor) image = options_.preprocessor->run(image);
        Described described;
        described.width = image.width;
        described.height = image.height;
        described.descriptors = recipe_.extractor().extract(image);
        described.found = described.descriptors.size();
        if (options_.prepare) options_.prepare(described);
        return described;
    }

  private:
    PreparedRecipe recipe_;
    StreamOptions options_;
};

LevelChoice level_for(const DescribeOptions &options, const Vocabulary &words, double rows,
                      Observer &observer) {
    LevelRequest wished = options.level;
    wished.options.threads = options.stream.threads;
    wished.options.observer = &observer;
    wished.host_seconds =
        host_seconds(wished, words.dimensions, words.size(), rows * options.images);
    return choose_level(wished, words.dimensions, words.size());
}

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

void append_word(std::string &bytes, std::int32_t word, std::size_t size) {
    const auto value = static_cast<std::uint32_t>(word);
    for (std::size_t byte = 0; byte < size; ++byte)
        bytes += static_cast<char>((value >> (8 * byte)) & 0xffU);
}

void for_all(std::size_t count, const std::function<void(std::size_t)> &work) {
    // Isolated: a thread that waits for the others must not take up an image to extract.
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t{0}, count, work); });
}

} // namespace

/// Words with their places.
class Describer::Words {
  public:
    Words(const VocabularyPair &pair, const DescribeOptions &options, Observer &observer)
        : pair_(pair), source_(pair, options, observer), options_(options),
          mirroring_(options.mirrored && !pair.recorded.preparation()
                         ? mirroring_of(source_.recipe())
                         : Mirroring::none),
          level_(level_for(options, pair.vocabulary, 600, observer)),
          assigner_(level_.prepare(pair.vocabulary)) {}

    const Source &source() const { return source_; }
    std::string text() const {
        return as_options(source_.recipe()) + ", assigning with " + level_.name();
    }

    void describe(std::span<const ExtractedImage> images, std::vector<ContentRow> &rows) {
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

  private:
    void mirror_all(std::vector<float> &values, std::size_t dimensions) const {
        for_all(values.size() / dimensions, [&](std::size_t i) {
            const std::span<float> row = std::span(values).subspan(i * dimensions, dimensions);
            std::vector<float> copy(row.begin(), row.end());
            mirror(copy, mirroring_, row);
        });
    }

    /// Rising words; those of one word by their places.
    void write(const ExtractedImage &image, std::span<const std::int32_t> words,
               std::span<const std::int32_t> mirrored, ContentRow &row) const {
        const std::size_t size = pair_.vocabulary.size() > 65536 ? 4 : 2;
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
            append_place(*row.places,
                         place_of(keypoints[i], image.words_width, image.words_height));
        if (mirrored.empty()) return;
        row.mirrored.emplace();
        for (const std::size_t i : order) append_word(*row.mirrored, mirrored[i], size);
    }

    const VocabularyPair &pair_;
    Source source_;
    const DescribeOptions &options_;
    Mirroring mirroring_;
    LevelChoice level_;
    std::unique_ptr<Assigner> assigner_;
    Rows rows_;
};

class Describer::Code {
  public:
    Code(const VladModel &model, const DescribeOptions &options, Observer &observer)
        : model_(model), recorded_(descriptors_of(model, "code")),
          source_(recorded_, options, observer), encoder_(model.words, model.exponent),
          level_(level_for(options, model.words, 8000, observer)),
          assigner_(level_.prepare(model.words)) {
        source_.set_prepare([&model](Described &described) {
            described.descriptors = bowhist::prepare(model.preparation, described.descriptors,
                                                     described.width, described.height);
        });
    }

    const Source &source() const { return source_; }
    std::string text() const {
        return as_options(source_.recipe()) + ", assigning with " + level_.name();
    }

    void describe(std::span<const ExtractedImage> images, std::vector<ContentRow> &rows) {
        const std::size_t dimensions = model_.words.dimensions;
        Rows &all = rows_;
        all.clear();
        for (const ExtractedImage &image : images) all.add(image.code.values, dimensions);
        const auto words = assigner_->run({all.values, {}, 1}).words;
        for_all(images.size(), [&](std::size_t i) {
            rows[i].code.emplace(model_.row_size(), '\0');
            rows[i].descriptors = images[i].found;
            if (all.count(i) == 0) return;
            const auto values =
                std::span(all.values).subspan(all.first(i) * dimensions, all.count(i) * dimensions);
            const auto row =
                encoder_.encode(values, std::span(words).subspan(all.first(i), all.count(i)));
            const auto code = bowhist::code_of(project(model_.projection, whole_row(row)));
            std::ranges::transform(code, rows[i].code->begin(),
                                   [](std::int8_t value) { return static_cast<char>(value); });
        });
    }

  private:
    const VladModel &model_;
    VocabularyPair recorded_;
    Source source_;
    VladEncoder encoder_;
    LevelChoice level_;
    std::unique_ptr<Assigner> assigner_;
    Rows rows_;
};

Describer::Describer(const LibraryModels &models, const DescribeOptions &options,
                     Observer &observer)
    : options_(options), views_{.greys = {}, .thumbnail_side = options.thumbnail_side} {
    require_decoders();
    if (models.words) words_ = std::make_unique<Words>(*models.words, options_, observer);
    if (models.code) code_ = std::make_unique<Code>(*models.code, options_, observer);
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

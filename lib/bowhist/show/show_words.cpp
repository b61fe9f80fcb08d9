#include <bowhist/show/show_words.hpp>

#include <bowhist/assign/device/device_nearest_words.hpp>
#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/weights.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/library/models.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/pipeline/word_stream.hpp>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace bowhist {
namespace {

/// Examples of images that are looked at by many threads, added in input order.
class Waiting {
  public:
    void put(std::size_t number, WordExamples::OfImage &&image) {
        const std::lock_guard lock(mutex_);
        images_[number] = std::move(image);
    }
    /// Forgets those before it, which were skipped.
    WordExamples::OfImage take(std::size_t number) {
        const std::lock_guard lock(mutex_);
        const auto place = images_.find(number);
        WordExamples::OfImage taken = std::move(place->second);
        images_.erase(images_.begin(), std::next(place));
        return taken;
    }

  private:
    std::mutex mutex_;
    std::map<std::size_t, WordExamples::OfImage> images_;
};

/// The places where an image's rows were taken; empty if unknown.
std::vector<DescribedPlace> places_of(const Described &described) {
    const std::vector<Keypoint> &keypoints = described.descriptors.keypoints;
    std::vector<DescribedPlace> places;
    if (described.width == 0) return places;
    for (std::size_t i = 0; i < keypoints.size(); ++i)
        places.push_back({keypoints[i], described.width, described.height, i >= described.found});
    return places;
}

/// The library's own images, evenly drawn, and how all of them use its words.
struct OwnImages {
    std::vector<Input> inputs;
    std::vector<std::string> names;
    WordFrequencies frequencies;
    std::vector<std::uint64_t> counts;
    bool is_drawn = false;
};

OwnImages read_own(const Library &library, std::size_t most) {
    std::vector<LibraryImage> images;
    OwnImages own;
    library.for_each_image([&](const LibraryImage &image) {
        const Histogram row = library.histogram(image);
        own.frequencies.add(row.counts);
        own.counts.resize(row.counts.size());
        for (std::size_t i = 0; i < row.counts.size(); ++i) own.counts[i] += row.counts[i];
        images.push_back(image);
    });
    const std::size_t read = most == 0 ? images.size() : std::min(most, images.size());
    for (std::size_t i = 0; i < read; ++i) {
        const LibraryImage &image = images[i * images.size() / read];
        own.inputs.push_back({image.file(), image.file()});
        own.names.push_back(image.path);
    }
    own.is_drawn = read < images.size();
    return own;
}

class Showing {
  public:
    Showing(const ShowRequest &request, Observer &observer)
        : request_(request), observer_(observer) {
        if (is_library(request.vocabulary)) library_.emplace(request.vocabulary);
        pair_ = read_pair();
        recipe_.emplace(request.recipe, pair_);
        words_.emplace(pair_.vocabulary, WordExamples::each);
        examples_.emplace(pair_.vocabulary, request.nearest, request.border);
    }

    ShownVocabulary run() {
        list_inputs();
        shown_.inputs.recipe = recipe_->recipe();
        shown_.made_by = as_options(recipe_->recipe());
        choose_level();
        stream();
        count();
        return std::move(shown_);
    }

  private:
    VocabularyPair read_pair() const {
        if (!library_) return read_vocabulary_pair(request_.vocabulary);
        auto words = library_->describing_models().words;
        if (!words)
            throw Error(Fault::usage,
                        fmt::format("{} has no words to show; it was made with --describe code",
                                    request_.vocabulary));
        return std::move(*words);
    }

    bool takes_own() const {
        return library_ && request_.inputs.arguments.empty() && request_.inputs.list.empty();
    }

    void list_inputs() {
        if (takes_own()) {
            own_ = read_own(*library_, request_.most_images);
            if (own_->inputs.empty())
                throw Error(Fault::input, fmt::format("{} holds no picture to show words of; "
                                                      "index some first",
                                                      request_.vocabulary));
            shown_.inputs.list.inputs = own_->inputs;
        } else {
            shown_.inputs.list =
                list_given_inputs(request_.inputs, request_.stream.strict, observer_);
        }
        check_outputs(request_.outputs, {request_.vocabulary, request_.inputs.list},
                      shown_.inputs.list);
    }

    void choose_level() {
        constexpr double rows_an_image = 2'000; // about: none was read yet
        LevelRequest wished = request_.level;
        wished.options.threads = request_.stream.threads;
        wished.options.observer = &observer_;
        wished.options.tree = pair_.tree;
        const Vocabulary &words = pair_.vocabulary;
        wished.host_seconds =
            host_seconds(wished, words.dimensions, words.size(),
                         rows_an_image * static_cast<double>(shown_.inputs.list.inputs.size()));
        level_ = bowhist::choose_level(wished, words.dimensions, words.size());
        if (pair_.tree) descend_ = level_.prepare(words);
        if (words_->size() < words.size())
            if (const auto device = level_.device())
                on_device_.emplace(device, words, *words_, level_.options);
        observer_.note(fmt::format("extracting with {}, finding the nearest words on {}",
                                   shown_.made_by,
                                   on_device_ ? level_.device()->info().name : "the host"));
    }

    /// The two nearest words of each row; with a tree, the one that descending finds and the
    /// nearest other one.
    std::vector<std::int32_t> find(std::span<const float> rows) const {
        std::vector<std::int32_t> words = words_->find(rows);
        if (!descend_) return words;
        const std::vector<std::int32_t> descended = descend_->on_host()->words(rows);
        for (std::size_t row = 0; row < descended.size(); ++row) {
            const auto of_row = std::span(words).subspan(row * words_->size(), words_->size());
            if (of_row[0] != descended[row]) of_row.back() = of_row[0];
            of_row[0] = descended[row];
        }
        return words;
    }

    WordFinder search() {
        const auto on_host = [this](std::span<const float> rows) { return find(rows); };
        const auto on_device = [this](std::span<const float> rows) {
            return on_device_->find(rows);
        };
        if (on_device_) return {on_device, {}, words_->size()};
        return {on_host, on_host, words_->size()};
    }

    void stream() {
        StreamOptions options =
            recipe_->options_for(shown_.inputs.list, request_.stream,
                                 {request_.level.device, request_.level.kernel_dir}, observer_);
        shown_.inputs.few = options.few;
        Waiting waiting;
        shown_.inputs.counts = stream_words(
            shown_.inputs.list.inputs, recipe_->extractor(), options, search(), observer_,
            [&](const ImageWords &image, EncodedImage &) {
                waiting.put(image.described.number,
                            examples_->look(image.described.number, image.rows, image.words,
                                            places_of(image.described)));
            },
            [&](EncodedImage &&image) {
                examples_->add(waiting.take(image.number));
                name(image.number, image.image);
            });
        if (!own_) require_read(shown_.inputs); // a library knows the words of its own
    }

    void name(std::size_t number, const std::string &image) {
        shown_.names.resize(number + 1);
        shown_.files.resize(number + 1);
        shown_.names[number] = own_ ? own_->names[number] : image;
        shown_.files[number] = image;
    }

    void count() {
        shown_.uses = examples_->take();
        WordFrequencies frequencies{.images = examples_->images()};
        for (std::size_t i = 0; i < shown_.uses.size(); ++i) {
            WordUse &use = shown_.uses[i];
            if (own_) use.count = own_->counts[i];
            if (own_) use.images = own_->frequencies.images_with[i];
            frequencies.images_with.push_back(use.images);
            frequencies.descriptors += use.count;
        }
        if (own_) frequencies.images = own_->frequencies.images;
        shown_.is_drawn = own_ && own_->is_drawn;
        shown_.images = frequencies.images;
        shown_.descriptors = frequencies.descriptors;
        shown_.idf = weights_of(frequencies, Normalization::tfidf).of_word;
    }

    const ShowRequest &request_; ///< outlives it, as the observer does
    Observer &observer_;
    std::optional<Library> library_;
    VocabularyPair pair_;
    std::optional<PreparedRecipe> recipe_;
    std::optional<NearestWords> words_;
    std::optional<WordExamples> examples_;
    std::optional<OwnImages> own_;
    LevelChoice level_;
    std::unique_ptr<Assigner> descend_; ///< where the words were found by descending
    std::optional<DeviceNearestWords> on_device_;
    ShownVocabulary shown_;
};

} // namespace

ShownVocabulary show_words(const ShowRequest &request, Observer &observer) {
    return Showing(request, observer).run();
}

} // namespace bowhist

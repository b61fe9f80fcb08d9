#include <bowhist/pipeline/encoded_stream.hpp>

#include <bowhist/encode/code.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/encode/vlad.hpp>

#include <tbb/parallel_for.h>

namespace bowhist {
namespace {

constexpr std::size_t batch_rows = std::size_t{1} << 18; // 52 MiB of 52 floats
constexpr std::size_t batch_images = 256;                // 26 MiB of rows of 512 words

/// Gathers prepared rows of images until there are enough for a launch.
class Encoding {
  public:
    Encoding(const VladModel &model, Assigner &assigner,
             const std::function<void(EncodedImage &&)> &sink)
        : model_(model), assigner_(assigner), sink_(sink), encoder_(model.words, model.exponent) {}

    void add(Described &&described) {
        const std::vector<float> &values = described.descriptors.values;
        images_.push_back(
            {std::move(described.image), static_cast<std::uint32_t>(described.found), {}, {}});
        values_.insert(values_.end(), values.begin(), values.end());
        ends_.push_back(values_.size() / model_.words.dimensions);
        if (ends_.back() >= batch_rows || images_.size() >= batch_images) finish();
    }

    /// Hands over all waiting images.
    void finish() {
        if (images_.empty()) return;
        words_ = assigner_.run({values_, {}, 1}).words;
        tbb::parallel_for(std::size_t{0}, images_.size(), [&](std::size_t i) { encode(i); });
        for (EncodedImage &image : images_) sink_(std::move(image));
        images_.clear();
        values_.clear();
        ends_.clear();
    }

  private:
    void encode(std::size_t i) {
        const std::size_t dimensions = model_.words.dimensions;
        const std::size_t first = i == 0 ? 0 : ends_[i - 1];
        const std::size_t count = ends_[i] - first;
        EncodedImage &image = images_[i];
        std::vector<float> row =
            encoder_.encode(std::span(values_).subspan(first * dimensions, count * dimensions),
                            std::span(words_).subspan(first, count));
        if (!model_.makes_codes())
            image.row = std::move(row);
        else if (count == 0)
            image.code.resize(model_.row_size());
        else
            image.code = code_of(project(model_.projection, whole_row(row)));
    }

    const VladModel &model_;
    Assigner &assigner_;
    const std::function<void(EncodedImage &&)> &sink_;
    VladEncoder encoder_;
    std::vector<EncodedImage> images_;
    std::vector<float> values_;     ///< prepared rows, end to end
    std::vector<std::size_t> ends_; ///< of each image, in rows
    std::vector<std::int32_t> words_;
};

} // namespace

StreamCounts stream_encoded(std::span<const Input> inputs, const Extractor &extractor,
                            const VladModel &model, Assigner &assigner, StreamOptions options,
                            Observer &observer, const std::function<void(EncodedImage &&)> &sink) {
    options.dimensions = model.words.dimensions;
    options.prepare = [&model](Described &described) {
        described.descriptors =
            prepare(model.preparation, described.descriptors, described.width, described.height);
    };
    Encoding encoding(model, assigner, sink);
    const StreamCounts counts =
        stream_descriptors(inputs, extractor, options, observer,
                           [&](Described &&described) { encoding.add(std::move(described)); });
    encoding.finish();
    return counts;
}

VocabularyPair descriptors_of(const VladModel &model, const std::filesystem::path &path) {
    return {.path = path,
            .vocabulary = {model.preparation.dimensions, {}},
            .fingerprint = model.fingerprint,
            .recorded = {.sidecar = VocabularySidecar{.recipe = model.recipe}}};
}

} // namespace bowhist

#include <bowhist/pipeline/encoded_stream.hpp>

#include <bowhist/core/shown_words.hpp>
#include <bowhist/encode/code.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/encode/vlad.hpp>

namespace bowhist {
namespace {

std::vector<std::uint8_t> shown_by(std::span<const std::int32_t> words, std::size_t k) {
    std::vector<std::uint32_t> counts(k, 0);
    for (const std::int32_t word : words) ++counts[static_cast<std::size_t>(word)];
    return shown_words(counts);
}

} // namespace

StreamCounts stream_encoded(std::span<const Input> inputs, const Extractor &extractor,
                            const VladModel &model, Assigner &assigner, StreamOptions options,
                            Observer &observer, const std::function<void(EncodedImage &&)> &sink) {
    options.dimensions = model.words.dimensions;
    options.prepare = [&model](Described &described) {
        described.descriptors =
            prepare(model.preparation, described.descriptors, described.width, described.height);
    };
    const VladEncoder encoder(model.words, model.exponent);
    const auto encode = [&](const ImageWords &image, EncodedImage &encoded) {
        std::vector<float> row = encoder.encode(image.rows, image.words);
        encoded.shown = shown_by(image.words, model.words.size());
        if (!model.makes_codes())
            encoded.row = std::move(row);
        else if (image.words.empty())
            encoded.code.resize(model.row_size());
        else
            encoded.code = code_of(project(model.projection, whole_row(row)));
    };
    return stream_words(inputs, extractor, options, assigner, observer, encode, sink);
}

VocabularyPair descriptors_of(const VladModel &model, const std::filesystem::path &path) {
    return {.path = path,
            .vocabulary = {model.preparation.dimensions, {}},
            .fingerprint = model.fingerprint,
            .recorded = {.sidecar = VocabularySidecar{.recipe = model.recipe}}};
}

} // namespace bowhist

#include <bowhist/library/words_describer.hpp>

#include <bowhist/library/stored_words.hpp>
#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/library/places.hpp>

#include <algorithm>
#include <numeric>

namespace bowhist {
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

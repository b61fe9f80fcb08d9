#include <bowhist/search/measure_of_library.hpp>

#include <bowhist/core/weights.hpp>
#include <bowhist/search/word_counts.hpp>

#include <algorithm>

namespace bowhist {
namespace {

WordFrequencies frequencies_of(const Library &library, std::span<const LibraryImage> images,
                               Observer &observer) {
    WordFrequencies frequencies;
    frequencies.images_with.resize(library.models().at("words").size);
    for (std::size_t i = 0; i < images.size(); ++i) {
        observer.stop_if_interrupted();
        const auto words = library.words(images[i]).words;
        for (const WordCount &word : counts_of(words)) ++frequencies.images_with[word.word];
        frequencies.images += words.empty() ? 0 : 1;
        frequencies.descriptors += words.size();
        observer.progress("words counted", i + 1, images.size());
    }
    return frequencies;
}

} // namespace

WordMeasure measure_of(const Library &library, std::span<const LibraryImage> images,
                       Normalization normalization, Observer &observer) {
    if (normalization != Normalization::tfidf && normalization != Normalization::bm25)
        return {normalization, {}};
    const WordFrequencies frequencies = frequencies_of(library, images, observer);
    if (frequencies.images == 0) return {normalization, {}}; // there is nothing to weigh
    return {normalization, weights_of(frequencies, normalization).of_word};
}

} // namespace bowhist

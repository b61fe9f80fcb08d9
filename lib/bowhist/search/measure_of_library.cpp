#include <bowhist/search/measure_of_library.hpp>

#include <bowhist/compare/word_counts.hpp>
#include <bowhist/core/weights.hpp>

#include <unordered_set>
#include <vector>

namespace bowhist {
namespace {

/// Counts the words of images that are compared.
void count(const Library &library, const std::vector<LibraryImage> &images,
           WordFrequencies &frequencies, Observer &observer) {
    for (std::size_t i = 0; i < images.size(); ++i) {
        observer.stop_if_interrupted();
        const auto words = library.words(images[i]).words;
        for (const WordCount &word : counts_of(words)) ++frequencies.images_with[word.word];
        frequencies.images += words.empty() ? 0 : 1;
        frequencies.descriptors += words.size();
        observer.progress("words counted", i + 1, images.size());
    }
}

WordFrequencies frequencies_of(std::span<const std::unique_ptr<Library>> libraries,
                               Observer &observer) {
    WordFrequencies frequencies;
    frequencies.images_with.resize(libraries.front()->models().at("words").size);
    std::unordered_set<std::string> counted;
    for (const auto &library : libraries) {
        std::vector<LibraryImage> images;
        library->for_each_image([&](const LibraryImage &image) {
            if (libraries.size() == 1 || counted.insert(key_of(image)).second)
                images.push_back(image);
        });
        count(*library, images, frequencies, observer);
    }
    return frequencies;
}

} // namespace

std::string key_of(const LibraryImage &image) {
    return image.path + '\0' + image.hash; // a path holds no NUL
}

WordMeasure measure_of(std::span<const std::unique_ptr<Library>> libraries,
                       Normalization normalization, Observer &observer) {
    if (normalization != Normalization::tfidf && normalization != Normalization::bm25)
        return {normalization, {}};
    const WordFrequencies frequencies = frequencies_of(libraries, observer);
    if (frequencies.images == 0) return {normalization, {}}; // there is nothing to weigh
    return {normalization, weights_of(frequencies, normalization).of_word};
}

} // namespace bowhist

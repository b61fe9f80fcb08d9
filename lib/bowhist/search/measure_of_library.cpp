#include <bowhist/search/measure_of_library.hpp>

#include <bowhist/core/weights.hpp>
#include <bowhist/search/word_counts.hpp>

#include <unordered_set>
#include <vector>

namespace bowhist {
namespace {

/// Counts the words of images that a search compares.
class WordCounting {
  public:
    WordCounting(std::size_t words, Observer &observer) : observer_(observer) {
        frequencies_.images_with.resize(words);
    }

    void add(const Library &library, const std::vector<LibraryImage> &images) {
        for (std::size_t i = 0; i < images.size(); ++i) {
            observer_.stop_if_interrupted();
            add(library.words(images[i]).words);
            observer_.progress("words counted", i + 1, images.size());
        }
    }

    const WordFrequencies &frequencies() const { return frequencies_; }

  private:
    void add(const std::vector<std::uint32_t> &words) {
        for (const WordCount &word : counts_of(words)) ++frequencies_.images_with[word.word];
        frequencies_.images += words.empty() ? 0 : 1;
        frequencies_.descriptors += words.size();
    }

    WordFrequencies frequencies_;
    Observer &observer_;
};

WordFrequencies frequencies_of(std::span<const std::unique_ptr<Library>> libraries,
                               Observer &observer) {
    WordCounting counting(libraries.front()->models().at("words").size, observer);
    std::unordered_set<std::string> counted;
    for (const auto &library : libraries) {
        std::vector<LibraryImage> images;
        library->for_each_image([&](const LibraryImage &image) {
            if (libraries.size() == 1 || counted.insert(key_of(image)).second)
                images.push_back(image);
        });
        counting.add(*library, images);
    }
    return counting.frequencies();
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

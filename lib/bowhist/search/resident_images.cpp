#include <bowhist/search/resident_images.hpp>

#include <algorithm>

namespace bowhist {
namespace {

/// Images that decide which words become bitmaps. The choice changes the time of a search, and no
/// answer.
constexpr std::size_t sample_images = 16384;

} // namespace

std::vector<WordCount> counts_of(std::span<const std::uint32_t> words) {
    std::vector<WordCount> counts;
    for (const std::uint32_t word : words) {
        if (!counts.empty() && counts.back().word == word)
            ++counts.back().count;
        else
            counts.push_back({word, 1});
    }
    return counts;
}

namespace {

std::vector<LibraryImage> all_images(const Library &library) {
    std::vector<LibraryImage> images;
    library.for_each_image([&](const LibraryImage &image) { images.push_back(image); });
    return images;
}

} // namespace

ResidentImages::ResidentImages(const Library &library, bool words, bool codes, Observer &observer)
    : ResidentImages(library, all_images(library), words, codes, observer) {}

ResidentImages::ResidentImages(const Library &library, std::vector<LibraryImage> images, bool words,
                               bool codes, Observer &observer)
    : images_(std::move(images)) {
    if (words) add_words(library, observer);
    if (codes) add_codes(library, observer);
}

void ResidentImages::add_words(const Library &library, Observer &observer) {
    LevelFrequencies frequencies(library.models().at("words").size);
    WordCounts sample;
    const auto open = [&] {
        words_.emplace(frequencies.rows());
        for (std::size_t i = 0; i < sample.size(); ++i) words_->add(sample.of(i));
        sample = {};
    };
    for (std::size_t i = 0; i < images_.size(); ++i) {
        observer.stop_if_interrupted();
        const auto counts = counts_of(library.words(images_[i]).words);
        word_norms_.push_back(measure_.squared_norm(counts));
        if (i < sample_images) {
            frequencies.add(counts);
            sample.add(counts);
        } else {
            if (i == sample_images) open();
            words_->add(counts);
        }
        observer.progress("pictures read", i + 1, images_.size());
    }
    if (!words_) open();
    words_->finish();
    inverse_word_norms_ = InverseNorms(word_norms_);
    searchable_.measure = &measure_;
    searchable_.words = &*words_;
    searchable_.word_norms = word_norms_;
    searchable_.inverse_word_norms = &inverse_word_norms_;
}

void ResidentImages::add_codes(const Library &library, Observer &observer) {
    codes_.emplace(library.models().at("code").size);
    for (std::size_t i = 0; i < images_.size(); ++i) {
        observer.stop_if_interrupted();
        const auto code = library.code(images_[i]).values;
        code_norms_.push_back(squared_norm(code));
        codes_->add(code);
        observer.progress("codes read", i + 1, images_.size());
    }
    codes_->finish(WordIndex::window_images);
    inverse_code_norms_ = InverseNorms(code_norms_);
    searchable_.codes = &*codes_;
    searchable_.code_norms = code_norms_;
    searchable_.inverse_code_norms = &inverse_code_norms_;
}

std::optional<std::size_t> ResidentImages::find(const std::string &path) const {
    const auto found = std::ranges::lower_bound(images_, path, {}, &LibraryImage::path);
    if (found == images_.end() || found->path != path) return std::nullopt;
    return static_cast<std::size_t>(found - images_.begin());
}

} // namespace bowhist

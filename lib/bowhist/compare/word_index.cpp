#include <bowhist/compare/word_index.hpp>

#include <bowhist/compare/word_measure.hpp>
#include <bowhist/core/round_up.hpp>

#include <algorithm>
#include <cstring>

namespace bowhist {
namespace {

std::uint32_t capped(std::uint32_t count) {
    return std::min(count, WordMeasure::largest_count);
}

} // namespace

void LevelFrequencies::add(std::span<const WordCount> image) {
    ++images_;
    for (const auto &[word, count] : image)
        for (std::uint32_t level = 0; level < std::min(count, most_levels); ++level)
            ++reached_[word * most_levels + level];
}

WordRows LevelFrequencies::rows() const {
    WordRows rows{{0}};
    const std::size_t words = reached_.size() / most_levels;
    for (std::size_t word = 0; word < words; ++word) {
        std::uint32_t levels = 0;
        while (levels < most_levels && std::uint64_t{1000} * reached_[word * most_levels + levels] >
                                           images_ * (levels == 0 ? 10 : 40))
            ++levels;
        rows.first.push_back(rows.first.back() + levels);
    }
    return rows;
}

WordIndex::WordIndex(WordRows rows) : rows_(std::move(rows)) {}

WordIndex::WordIndex(WordRows rows, std::size_t images) : rows_(std::move(rows)), images_(images) {
    memory_.emplace_back(divided_up(images, window_images) * window_size());
    for (std::size_t first = 0; first < images; first += window_images) {
        std::uint64_t *const bits = memory_[0].get() + windows_.size() * window_size();
        windows_.emplace_back().bits = bits;
        const std::size_t blocks =
            divided_up(std::min(images - first, window_images), block_images);
        // set_bitmaps() sets the blocks in front
        std::fill_n(bits + blocks * block_stride(), (window_blocks - blocks) * block_stride(), 0);
    }
}

void WordIndex::set_bitmaps(std::uint32_t word, const char *bits) {
    constexpr std::size_t bytes = block_words * sizeof(std::uint64_t);
    for (std::uint32_t row = rows_.first[word]; row < rows_.first[word + 1]; ++row)
        for (std::size_t first = 0; first < images_; first += block_images, bits += bytes) {
            const std::size_t block = first % window_images / block_images;
            std::memcpy(windows_[first / window_images].bits + block * block_stride() +
                            row * block_words,
                        bits, bytes);
        }
}

void WordIndex::set_lists(std::size_t window, ExcessLists lists) {
    if (window < rows_.listed_windows)
        windows_[window].lists = std::move(lists);
    else
        windows_[window].excess = lists.rows(window_images);
}

ExcessLists WordIndex::lists(std::size_t window) const {
    if (window < rows_.listed_windows) return windows_[window].lists;
    return {windows_[window].excess, rows_.words()};
}

void WordIndex::add(std::span<const WordCount> image) {
    pending_.add(image);
    ++images_;
    if (pending_.size() == window_images) close_window();
}

void WordIndex::finish() {
    if (pending_.size() > 0) close_window();
}

void WordIndex::add_to(Window &window, std::size_t place, const WordCount &word) const {
    const std::uint32_t count = capped(word.count);
    const std::uint32_t levels = std::min(count, rows_.levels(word.word));
    std::uint64_t *block = window.bits + place / block_images * block_stride();
    const std::size_t bit = place % block_images;
    for (std::uint32_t level = 0; level < levels; ++level)
        block[(rows_.first[word.word] + level) * block_words + bit / 64] |= std::uint64_t{1}
                                                                            << bit % 64;
    if (count > levels) window.excess.add(word.word, count - levels);
}

void WordIndex::close_window() {
    Window window;
    window.bits = memory_.emplace_back(window_size()).get();
    std::fill_n(window.bits, window_size(), 0);
    for (std::size_t image = 0; image < pending_.size(); ++image) {
        for (const WordCount &word : pending_.of(image)) add_to(window, image, word);
        window.excess.close_image();
    }
    if (windows_.size() < rows_.listed_windows) {
        window.lists = {window.excess, rows_.words()};
        window.excess = {};
    }
    windows_.push_back(std::move(window));
    pending_ = {};
}

std::size_t WordIndex::bytes() const {
    std::size_t sum = 0;
    for (const Window &window : windows_)
        sum += window_size() * sizeof(*window.bits) + window.lists.bytes() + window.excess.bytes();
    return sum;
}

} // namespace bowhist

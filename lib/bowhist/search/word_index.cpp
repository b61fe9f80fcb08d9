#include <bowhist/search/word_index.hpp>

#include <bowhist/core/round_up.hpp>
#include <bowhist/search/word_measure.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace bowhist {
namespace {

std::uint32_t capped(std::uint32_t count) {
    return std::min(count, WordMeasure::largest_count);
}

/// A hint: bitmaps lie apart, and each touch of a small page costs a look-up.
void prefer_large_pages(void *memory, std::size_t bytes) {
    constexpr std::uintptr_t page = 4096;
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t from = round_up(first, page);
    if (from < first + bytes)
        ::madvise(reinterpret_cast<void *>(from), first + bytes - from, MADV_HUGEPAGE);
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

void WordIndex::Free::operator()(std::uint64_t *bits) const {
    std::free(bits);
}

WordIndex::WordIndex(WordRows rows) : rows_(std::move(rows)) {}

void WordIndex::add(std::span<const WordCount> image) {
    pending_.add(image);
    ++images_;
    if (pending_.size() == window_images) close_window();
}

void WordIndex::finish() {
    if (pending_.size() > 0) close_window();
}

/// @param next  of each word, where its next entry goes
void WordIndex::add_to(Window &window, std::size_t place, const WordCount &word,
                       std::vector<std::uint32_t> &next) const {
    const std::uint32_t count = capped(word.count);
    const std::uint32_t levels = std::min(count, rows_.levels(word.word));
    std::uint64_t *block = window.bits.get() + place / block_images * block_stride();
    const std::size_t bit = place % block_images;
    for (std::uint32_t level = 0; level < levels; ++level)
        block[(rows_.first[word.word] + level) * block_words + bit / 64] |= std::uint64_t{1}
                                                                            << bit % 64;
    const std::uint32_t excess = count - levels;
    if (excess > largest_short_excess)
        window.long_entries.push_back({word.word, static_cast<std::uint32_t>(place), excess});
    else if (excess > 0)
        window.entries[next[word.word]++] = static_cast<std::uint16_t>(place << 4 | excess);
}

void WordIndex::close_window() {
    const std::size_t bytes = window_blocks * block_stride() * sizeof(std::uint64_t);
    Window window;
    window.bits.reset(static_cast<std::uint64_t *>(std::aligned_alloc(64, bytes)));
    if (!window.bits) throw std::bad_alloc();
    prefer_large_pages(window.bits.get(), bytes);
    std::fill_n(window.bits.get(), bytes / sizeof(std::uint64_t), 0);
    window.starts.assign(rows_.words() + 1, 0);
    for (const auto &[word, count] : pending_.all) {
        const std::uint32_t levels = rows_.levels(word);
        const std::uint32_t most = capped(count);
        window.starts[word + 1] += most > levels && most - levels <= largest_short_excess;
    }
    for (std::size_t word = 0; word < rows_.words(); ++word)
        window.starts[word + 1] += window.starts[word];
    window.entries.resize(window.starts.back());
    std::vector<std::uint32_t> next(window.starts.begin(), window.starts.end() - 1);
    for (std::size_t image = 0; image < pending_.size(); ++image)
        for (const WordCount &word : pending_.of(image)) add_to(window, image, word, next);
    std::ranges::stable_sort(window.long_entries, {}, &LongEntry::word);
    windows_.push_back(std::move(window));
    pending_ = {};
}

std::size_t WordIndex::bytes() const {
    std::size_t sum = 0;
    for (const Window &window : windows_)
        sum += window_blocks * block_stride() * 8 + window.starts.size() * 4 +
               window.entries.size() * 2 + window.long_entries.size() * sizeof(LongEntry);
    return sum;
}

} // namespace bowhist

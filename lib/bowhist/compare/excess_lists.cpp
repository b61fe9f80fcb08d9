#include <bowhist/compare/excess_lists.hpp>

#include <bowhist/compare/word_counts.hpp>

#include <algorithm>
#include <numeric>

namespace bowhist {

void ExcessRows::add(std::uint32_t word, std::uint32_t excess) {
    if (const std::uint32_t high = word >> 16U; high > 0 || !high_.empty()) {
        high_.resize(low_.size());
        high_.push_back(static_cast<std::uint16_t>(high));
    }
    low_.push_back(static_cast<std::uint16_t>(word));
    excess_.push_back(static_cast<std::uint8_t>(std::min(excess, most_excess)));
}

void ExcessRows::close_image() {
    starts_.push_back(static_cast<std::uint32_t>(low_.size()));
}

ExcessLists::ExcessLists(const ExcessRows &rows, std::size_t words) : starts(words + 1) {
    for (std::size_t image = 0; image < rows.size(); ++image)
        rows.for_each(image, [&](std::uint32_t word, std::uint32_t excess) {
            starts[word + 1] += excess <= largest_short;
        });
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    entries.resize(starts.back());
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (std::uint32_t image = 0; image < rows.size(); ++image)
        rows.for_each(image, [&](std::uint32_t word, std::uint32_t excess) {
            if (excess <= largest_short)
                entries[next[word]++] = static_cast<std::uint16_t>(image << 4U | excess);
            else
                long_entries.push_back({word, image, excess});
        });
    std::ranges::stable_sort(long_entries, {}, &LongEntry::word);
}

ExcessRows ExcessLists::rows(std::size_t images) const {
    const auto for_each_word = [&](auto visit) {
        auto long_entry = long_entries.begin();
        for (std::uint32_t word = 0; word + 1 < starts.size(); ++word)
            for_each(word, long_entry, [&](std::uint32_t place, std::uint32_t excess) {
                visit(place, WordCount{word, excess});
            });
    };
    std::vector<std::uint32_t> firsts(images + 1);
    for_each_word([&](std::uint32_t place, const WordCount &) { ++firsts[place + 1]; });
    std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
    std::vector<WordCount> all(firsts.back());
    std::vector<std::uint32_t> next(firsts.begin(), firsts.end() - 1);
    for_each_word([&](std::uint32_t place, const WordCount &word) { all[next[place]++] = word; });
    ExcessRows rows;
    for (std::size_t image = 0; image < images; ++image) {
        for (std::uint32_t i = firsts[image]; i < firsts[image + 1]; ++i)
            rows.add(all[i].word, all[i].count);
        rows.close_image();
    }
    return rows;
}

} // namespace bowhist

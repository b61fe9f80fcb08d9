#include <bowhist/show/word_examples.hpp>

#include <bowhist/assign/rule.hpp>

#include <algorithm>
#include <limits>
#include <tuple>

namespace bowhist {
namespace {

/// Keeps the `most` examples of the smallest `value`.
void keep(std::vector<WordExample> &kept, const WordExample &one, double WordExample::*value,
          std::size_t most) {
    const auto before = [value](const WordExample &a, const WordExample &b) {
        return std::tuple(a.*value, a.image, a.row) < std::tuple(b.*value, b.image, b.row);
    };
    if (kept.size() == most && (most == 0 || !before(one, kept.back()))) return;
    kept.insert(std::ranges::upper_bound(kept, one, before), one);
    if (kept.size() > most) kept.pop_back();
}

} // namespace

WordExamples::WordExamples(const Vocabulary &words, std::size_t nearest, std::size_t border)
    : words_(words), nearest_(nearest), border_(border), uses_(words.size()),
      seen_in_(words.size()) {}

WordExamples::OfImage WordExamples::look(std::size_t image, std::span<const float> rows,
                                         std::span<const std::int32_t> words,
                                         std::span<const DescribedPlace> places) const {
    const std::size_t two = std::min(each, words_.size());
    OfImage seen;
    for (std::size_t i = 0; i * two < words.size(); ++i) {
        const auto row = rows.subspan(i * words_.dimensions, words_.dimensions);
        const auto distance = [&](std::int32_t word) {
            return squared_distance(row, words_.row(static_cast<std::size_t>(word)));
        };
        WordExample &one = seen.rows.emplace_back(WordExample{.image = image, .row = i});
        seen.words.push_back(words[i * two]);
        one.distance = distance(words[i * two]);
        one.margin = std::numeric_limits<double>::infinity();
        if (!places.empty()) one.place = places[i];
        if (two < each) continue;
        one.second = words[i * two + 1];
        one.margin = distance(one.second) - one.distance;
    }
    return seen;
}

void WordExamples::add(const OfImage &image) {
    if (image.words.empty()) return;
    ++images_;
    for (std::size_t i = 0; i < image.words.size(); ++i) {
        const auto word = static_cast<std::size_t>(image.words[i]);
        WordUse &use = uses_[word];
        ++use.count;
        use.images += seen_in_[word] != images_;
        seen_in_[word] = images_;
        keep(use.nearest, image.rows[i], &WordExample::distance, nearest_);
        if (image.rows[i].second >= 0)
            keep(use.border, image.rows[i], &WordExample::margin, border_);
    }
}

} // namespace bowhist

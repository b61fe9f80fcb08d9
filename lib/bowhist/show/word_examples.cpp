#include <bowhist/show/word_examples.hpp>

#include <bowhist/assign/rule.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace bowhist {
namespace {

/// Keeps the `most` examples that come first by turn and `value`.
void keep(std::vector<WordExample> &kept, const WordExample &one, double WordExample::*value,
          std::size_t most) {
    const auto before = [value](const WordExample &a, const WordExample &b) {
        return std::tuple(a.turn, a.*value, a.image, a.row) <
               std::tuple(b.turn, b.*value, b.image, b.row);
    };
    if (kept.size() == most && (most == 0 || !before(one, kept.back()))) return;
    kept.insert(std::ranges::upper_bound(kept, one, before), one);
    if (kept.size() > most) kept.pop_back();
}

/// Rows of an image, those of a word together, by `value`.
std::vector<std::size_t> in_turn(const WordExamples::OfImage &image, double WordExample::*value) {
    std::vector<std::size_t> order(image.words.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) {
        return std::tuple(image.words[i], image.rows[i].*value, i);
    });
    return order;
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
    add(image, &WordExample::distance, &WordUse::nearest, nearest_);
    if (words_.size() > 1) add(image, &WordExample::margin, &WordUse::border, border_);
    for (std::size_t i = 0; i < image.words.size(); ++i) {
        const auto word = static_cast<std::size_t>(image.words[i]);
        ++uses_[word].count;
        uses_[word].images += seen_in_[word] != images_;
        seen_in_[word] = images_;
    }
}

void WordExamples::add(const OfImage &image, double WordExample::*value,
                       std::vector<WordExample> WordUse::*list, std::size_t most) {
    std::int32_t word = -1;
    std::size_t turn = 0;
    for (const std::size_t i : in_turn(image, value)) {
        if (image.words[i] != word) turn = 0;
        word = image.words[i];
        WordExample one = image.rows[i];
        one.turn = turn++;
        if (one.turn < most) keep(uses_[static_cast<std::size_t>(word)].*list, one, value, most);
    }
}

} // namespace bowhist

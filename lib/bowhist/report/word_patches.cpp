#include <bowhist/report/words_page.hpp>
#include <bowhist/show/cut_patches.hpp>

#include <algorithm>
#include <numeric>

namespace bowhist {
namespace {

/// Drawn evenly from the most frequent to the rarest.
std::vector<std::size_t> drawn_words(const std::vector<WordUse> &uses, std::size_t most) {
    std::vector<std::size_t> order(uses.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t word) { return uses[word].count; });
    if (most == 0 || most >= order.size()) return order;
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < most; ++i) drawn.push_back(order[i * order.size() / most]);
    return drawn;
}

bool is_among(const WordExample &one, const std::vector<WordExample> &others) {
    return std::ranges::any_of(others, [&](const WordExample &other) {
        return other.image == one.image && other.row == one.row;
    });
}

std::vector<std::string> taken(std::vector<std::string> &all, std::size_t &next,
                               std::size_t count) {
    std::vector<std::string> some;
    for (; count > 0; --count) some.push_back(std::move(all[next++]));
    return some;
}

} // namespace

bool WordPatches::any() const {
    return bytes() > 0;
}

std::size_t WordPatches::bytes() const {
    std::size_t bytes = 0;
    for (const OfWord &word : patches)
        for (const auto *set : {&word.nearest, &word.border})
            for (const std::string &patch : *set) bytes += patch.size();
    return bytes;
}

WordPatches cut_word_patches(const ShownVocabulary &shown, std::size_t most_words, int side,
                             const ImageLimits &limits, Observer &observer) {
    WordPatches found{.words = drawn_words(shown.uses, most_words)};
    std::vector<WantedPatch> wanted;
    for (const std::size_t word : found.words)
        for (const auto *set : {&shown.uses[word].nearest, &shown.uses[word].border})
            for (const WordExample &one : *set) {
                // those at the border that are among the nearest are not shown again
                const bool again =
                    set == &shown.uses[word].border && is_among(one, shown.uses[word].nearest);
                wanted.push_back({one.image, again ? DescribedPlace{} : one.place});
            }
    std::vector<std::string> all = cut_patches(shown.files, wanted, side, limits, observer);
    std::size_t next = 0;
    for (const std::size_t word : found.words) {
        WordPatches::OfWord &patches = found.patches.emplace_back();
        patches.nearest = taken(all, next, shown.uses[word].nearest.size());
        patches.border = taken(all, next, shown.uses[word].border.size());
    }
    return found;
}

} // namespace bowhist

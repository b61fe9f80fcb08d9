#include <bowhist/group/distinctive_words.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>

namespace bowhist {
namespace {

constexpr std::size_t most_words = 5;

using Counts = std::vector<std::int64_t>;

void count(const ShownWords &shown, std::size_t image, Counts &counts) {
    const auto row = shown.row(image);
    for (std::size_t i = 0; i < row.size(); ++i)
        for (std::uint8_t bits = row[i]; bits != 0;) {
            const int first = std::countl_zero(bits);
            ++counts[8 * i + static_cast<std::size_t>(first)];
            bits = static_cast<std::uint8_t>(bits & ~(0x80U >> first));
        }
}

/// The words of a group, by how many of its images and of all show them.
std::vector<std::uint32_t> most_distinctive(const Counts &own, std::int64_t size, const Counts &all,
                                            std::int64_t images) {
    // own/size - (all - own)/(images - size), times size · (images - size)
    const auto excess = [&](std::uint32_t word) { return own[word] * images - all[word] * size; };
    std::vector<std::uint32_t> words;
    for (std::uint32_t word = 0; word < own.size(); ++word)
        if (excess(word) > 0) words.push_back(word);
    const std::size_t kept = std::min(most_words, words.size());
    std::ranges::partial_sort(words, words.begin() + static_cast<std::ptrdiff_t>(kept),
                              [&](std::uint32_t a, std::uint32_t b) {
                                  return excess(a) != excess(b) ? excess(a) > excess(b) : a < b;
                              });
    words.resize(kept);
    return words;
}

} // namespace

void find_distinctive_words(const ShownWords &shown, Grouping &grouping) {
    if (shown.words == 0) return;
    Counts all(shown.words, 0);
    std::vector<std::vector<std::size_t>> members(grouping.groups);
    for (std::size_t image = 0; image < shown.size(); ++image) {
        count(shown, image, all);
        if (grouping.group[image] >= 0)
            members[static_cast<std::size_t>(grouping.group[image])].push_back(image);
    }
    const auto images = static_cast<std::int64_t>(shown.size());
    tbb::parallel_for(std::size_t{0}, grouping.groups, [&](std::size_t group) {
        Counts own(shown.words, 0);
        for (const std::size_t image : members[group]) count(shown, image, own);
        grouping.summaries[group].words =
            most_distinctive(own, static_cast<std::int64_t>(members[group].size()), all, images);
    });
}

} // namespace bowhist

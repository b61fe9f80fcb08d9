#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// A word of an image, and how often it occurs there.
struct WordCount {
    std::uint32_t word = 0;
    std::uint32_t count = 1; ///< above 0

    bool operator==(const WordCount &) const = default;
};

/// The words of images: each image's by rising word, no word twice.
struct WordCounts {
    std::vector<std::size_t> starts = {0}; ///< size() + 1: where each image's words start in `all`
    std::vector<WordCount> all = {};

    std::size_t size() const { return starts.size() - 1; }
    std::span<const WordCount> of(std::size_t image) const {
        return std::span(all).subspan(starts[image], starts[image + 1] - starts[image]);
    }
    void add(std::span<const WordCount> image) {
        all.insert(all.end(), image.begin(), image.end());
        starts.push_back(all.size());
    }
};

/// The words of a keypoint each, rising, as counts.
inline std::vector<WordCount> counts_of(std::span<const std::uint32_t> words) {
    std::vector<WordCount> counts;
    for (const std::uint32_t word : words) {
        if (!counts.empty() && counts.back().word == word)
            ++counts.back().count;
        else
            counts.push_back({word, 1});
    }
    return counts;
}

} // namespace bowhist

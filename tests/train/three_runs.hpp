#pragma once

#include "tests/support/levels.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/train/word_search.hpp>

#include <catch2/catch.hpp>

#include <vector>

namespace bowhist::testing {

/// What three runs find, the words after them, and where the centroids went.
struct Found {
    std::vector<Iteration> course = {};
    std::vector<std::size_t> empty = {};
    std::vector<std::vector<float>> farthest = {};
    std::vector<std::int32_t> words = {};
    std::vector<float> centroids = {};

    bool operator==(const Found &) const = default;
};

inline Found runs(WordSearch &search, const DescriptorRows &rows, std::size_t k) {
    CentroidSums sums(rows, k);
    Found found;
    for (int run = 0; run < 3; ++run) {
        found.course.push_back(search.run(sums));
        if (found.course.back().empty > 0) found.empty = sums.empty();
        for (const std::size_t count : {std::size_t{1}, std::size_t{3}, rows.size() / 2 + 1})
            found.farthest.push_back(search.farthest(count).values);
        search.move(sums);
    }
    search.forget();
    CHECK(search.run(sums).moved == rows.size());
    found.words = search.words();
    found.centroids = search.vocabulary().values;
    return found;
}

inline Found runs(const LevelChoice &level, const Descriptors &descriptors,
                  const Vocabulary &vocabulary) {
    Observer silent;
    const RowsInMemory rows(descriptors);
    return runs(*make_word_search(rows, level, vocabulary, silent, true), rows, vocabulary.size());
}

inline const LevelChoice on_host = choice_of(find_level("openmp"), nullptr);

inline LevelChoice on_device(std::string_view id, const std::shared_ptr<Device> &device) {
    return choice_of(find_level(id), device);
}

/// Then the host adds up, and there is nothing to compare it with.
inline bool leaves_sums_to_the_host() {
    return skips(!adds_up_as_the_host(*shared_device()), "does not add up as the host does");
}

} // namespace bowhist::testing

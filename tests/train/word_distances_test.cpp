#include "tests/support/descriptors.hpp"
#include "tests/support/parted_rows.hpp"

#include <bowhist/assign/rule.hpp>
#include <bowhist/train/word_distances.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("word distances: the farthest descriptors, of equal ones the first, in any parts") {
    Descriptors rows = random_descriptors(3000, 4, 1);
    for (float &value : rows.values) value = std::round(value); // others as far are many
    const Vocabulary vocabulary{4, {0, 0, 0, 0, 1, 1, 1, 1}};
    std::vector<std::int32_t> words;
    std::vector<double> distances;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        words.push_back(row % 3 == 0 ? 1 : 0);
        distances.push_back(
            squared_distance(rows.row(row), vocabulary.row(static_cast<std::size_t>(words[row]))));
    }
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t row) { return distances[row]; });
    for (const std::size_t part : {1, 100, 1025, 2999, 3000}) {
        const PartedRows parted(rows, part);
        CHECK(inertia_of(parted, words, vocabulary) ==
              std::accumulate(distances.begin(), distances.end(), 0.0)); // whole numbers
        for (const std::size_t count : {1, 2, 7, 300, 3000}) {
            Descriptors expected{4, {}};
            for (std::size_t i = 0; i < count; ++i)
                expected.values.insert(expected.values.end(), rows.row(order[i]).begin(),
                                       rows.row(order[i]).end());
            CHECK(farthest(parted, words, vocabulary, count).values == expected.values);
        }
    }
}

// The start that the host chooses, by its definition in train/seeding.hpp; a device chooses the
// same. And what fills words that stay empty: the farthest descriptors.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/parted_rows.hpp"

#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/train/sample.hpp>
#include <bowhist/train/seeding.hpp>
#include <bowhist/train/word_distances.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Whole numbers, the longest row between 1024 and 2047 long: distances keep them as they are.
Descriptors whole_descriptors(std::size_t n, int most, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    Descriptors rows{100, std::vector<float>(n * 100)};
    for (float &value : rows.values)
        value = static_cast<float>(draw_below(engine, static_cast<std::uint64_t>(most)));
    std::fill_n(rows.values.begin(), 100, 150.0F);
    return rows;
}

/// Each row's squared distance to the nearest of those before and another.
std::vector<std::int64_t> lowered(std::vector<std::int64_t> nearest, const Descriptors &rows,
                                  std::size_t other) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        double sum = 0;
        for (std::size_t i = 0; i < rows.dimensions; ++i) {
            const double difference = rows.row(row)[i] - rows.row(other)[i];
            sum += difference * difference;
        }
        nearest[row] = std::min(nearest[row], static_cast<std::int64_t>(sum));
    }
    return nearest;
}

/// Rows drawn with a probability in proportion to their distance; any row if all are 0.
std::vector<std::size_t> drawn_rows(const std::vector<std::int64_t> &nearest, std::size_t draws,
                                    std::mt19937_64 &engine) {
    std::vector<std::int64_t> up_to(nearest.size());
    std::partial_sum(nearest.begin(), nearest.end(), up_to.begin());
    if (up_to.back() == 0) return {draw_below(engine, nearest.size())};
    std::vector<std::size_t> rows(draws);
    for (std::size_t &row : rows) {
        const auto target =
            static_cast<std::int64_t>(draw_below(engine, static_cast<std::uint64_t>(up_to.back())));
        row = static_cast<std::size_t>(std::ranges::upper_bound(up_to, target) - up_to.begin());
    }
    return rows;
}

std::vector<float> by_definition(const Descriptors &rows, std::size_t k, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<std::int64_t> nearest(rows.size(), std::int64_t{1} << 24); // above all
    std::vector<std::size_t> drawn{draw_below(engine, rows.size())};
    std::vector<float> centroids;
    for (std::size_t word = 0; word < k; ++word) {
        std::vector<std::vector<std::int64_t>> ways;
        for (const std::size_t row : drawn) ways.push_back(lowered(nearest, rows, row));
        const auto best = std::ranges::min_element(
            ways, {}, [](const auto &way) { return std::reduce(way.begin(), way.end()); });
        const auto chosen = rows.row(drawn[static_cast<std::size_t>(best - ways.begin())]);
        centroids.insert(centroids.end(), chosen.begin(), chosen.end());
        nearest = *best;
        drawn = drawn_rows(nearest, draws_for(k), engine);
    }
    return centroids;
}

void check_start(const Descriptors &rows, std::size_t k, std::uint64_t seed) {
    Observer silent;
    const Vocabulary expected = start_centroids(RowsInMemory(rows), k, Start::greedy, seed, silent);
    std::vector<float> found;
    for (const std::size_t row :
         choose_on_device(*shared_device(), QuantizedRows(rows), k, seed, silent))
        found.insert(found.end(), rows.row(row).begin(), rows.row(row).end());
    INFO(rows.size() << " rows of " << rows.dimensions << " dimensions, k " << k);
    CHECK(found == expected.values);
}

} // namespace

TEST_CASE("train: the greedy start is that of its definition") {
    Observer silent;
    for (const std::size_t n : {2, 40, 3000})
        for (const std::size_t k : {1, 2, 30})
            for (const int most : {2, 180}) { // of few values some rows are equal
                if (k > n) continue;
                const Descriptors rows = whole_descriptors(n, most, n + k);
                INFO(n << " rows, " << k << " words, values below " << most);
                CHECK(start_centroids(RowsInMemory(rows), k, Start::greedy, k, silent).values ==
                      by_definition(rows, k, k));
            }
    const Descriptors alike{100, std::vector<float>(500, 150.0F)};
    CHECK(start_centroids(RowsInMemory(alike), 4, Start::greedy, 1, silent).values ==
          by_definition(alike, 4, 1));
}

TEST_CASE("train: a device chooses the start that the host chooses") {
    for (const std::size_t dimensions : {5, 64})
        for (const std::size_t n : {300, 5000})
            for (const std::size_t k : {1, 2, 60, 299})
                check_start(random_descriptors(n, dimensions, 3), k, n + k);
    check_start(random_descriptors(300'000, 3, 4), 9, 7); // several chunks a work-item
}

TEST_CASE("train: a device draws a row among many that are centroids already") {
    Descriptors rows{1, std::vector<float>(300'000, 0)};
    for (std::size_t row = 70'001; row < rows.size(); row += 70'001) rows.values[row] = 0.001F;
    rows.values.back() = 1;
    for (const std::uint64_t seed : {1, 2}) check_start(rows, 7, seed);
}

TEST_CASE("train: a device's start of more words than there are different descriptors") {
    check_start(repeated(random_descriptors(5, 8, 4), 1100), 30, 3);
    check_start({4, std::vector<float>(4 * 700, 0)}, 3, 3);
}

TEST_CASE("train: many words start on descriptors that differ, as far as there are any") {
    constexpr std::size_t k = most_drawn_words + 1;
    Observer silent;
    const auto distinct_of = [&](const Descriptors &rows) {
        const Vocabulary start = start_centroids(RowsInMemory(rows), k, Start::sampled, 1, silent);
        REQUIRE(start.size() == k);
        std::set<std::vector<float>> all, words;
        for (std::size_t row = 0; row < rows.size(); ++row)
            all.insert({rows.row(row).begin(), rows.row(row).end()});
        for (std::size_t word = 0; word < k; ++word)
            words.insert({start.row(word).begin(), start.row(word).end()});
        CHECK(std::ranges::includes(all, words));
        CHECK(start.values !=
              start_centroids(RowsInMemory(rows), k, Start::sampled, 2, silent).values);
        return words.size();
    };
    Descriptors rows = random_descriptors(2 * k, 2, 8);
    CHECK(distinct_of(rows) == k);
    for (std::size_t i = 0; i < rows.values.size(); i += 40) // a twentieth are equal
        rows.values[i] = rows.values[i + 1] = 0.5F;
    CHECK(distinct_of(rows) == k);
    for (float &value : rows.values) value = std::round(value * 10); // few differ
    CHECK(distinct_of(rows) < k / 2);
}

TEST_CASE("train: a device without local memory for all dimensions chooses no start") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.local_bytes = 32768; });
    CHECK(can_choose(*device, 500));
    CHECK_FALSE(can_choose(*device, 1000));
}

TEST_CASE("train: a device's start, small", "[oclgrind][choose_rows.cl]") {
    check_start(random_descriptors(40, 3, 5), 4, 1);
}

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

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/error.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace bowhist;

TEST_CASE("synthetic descriptors are the same for a seed, whatever the threads and the number",
          "[bench]") {
    const SyntheticData data;
    const Descriptors one = synthetic_descriptors(data, 500, 24);
    const Descriptors more = synthetic_descriptors(data, 700, 24); // other shares of the threads
    REQUIRE(one.size() == 500);
    CHECK(std::equal(one.values.begin(), one.values.end(), more.values.begin()));
    SyntheticData other;
    other.seed = 2;
    CHECK(synthetic_descriptors(other, 500, 24).values != one.values);
}

TEST_CASE("synthetic descriptors lie in clusters", "[bench]") {
    SyntheticData data;
    data.clusters = 4;
    data.noise = 0.1;
    const Descriptors rows = synthetic_descriptors(data, 400, 64);
    // Two of one cluster are about 0.1 * sqrt(2 * 64) apart, two of different ones sqrt(2 * 64).
    std::size_t near = 0;
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const double distance = std::sqrt(squared_distance(rows.row(0), rows.row(row)));
        CHECK((distance < 2 || distance > 5));
        near += distance < 2 ? 1 : 0;
    }
    CHECK(near > 40);
    CHECK(near < 200);
}

TEST_CASE("near-ties are too near for float32 to prove", "[bench]") {
    const SyntheticData data;
    const Vocabulary vocabulary = synthetic_vocabulary(data, 100, 32);
    const Descriptors before = synthetic_descriptors(data, 2000, 32);
    Descriptors rows = before;
    plant_near_ties(data, vocabulary, rows);
    const Bound bound = float32_bound(32);
    std::size_t planted = 0;
    std::size_t tied = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (std::ranges::equal(rows.row(row), before.row(row))) continue;
        ++planted;
        std::vector<double> distances;
        for (std::size_t j = 0; j < vocabulary.size(); ++j)
            distances.push_back(squared_distance(rows.row(row), vocabulary.row(j)));
        std::ranges::sort(distances);
        tied += distances[1] - distances[0] <= bound.relative * (distances[1] + distances[0]);
    }
    CHECK(planted == 20);       // a hundredth of 2000
    CHECK(tied >= planted / 2); // a third word may lie nearer than both
    Descriptors alone = before;
    plant_near_ties(data, synthetic_vocabulary(data, 1, 32), alone);
    CHECK(alone.values == before.values);
}

TEST_CASE("rows of the data stand in for words", "[bench]") {
    const Descriptors rows = synthetic_descriptors({}, 50, 8);
    const Vocabulary words = rows_as_vocabulary(rows, 50, 1);
    std::set<std::vector<float>> expected;
    std::set<std::vector<float>> found;
    for (std::size_t i = 0; i < 50; ++i) {
        expected.emplace(rows.row(i).begin(), rows.row(i).end());
        found.emplace(words.row(i).begin(), words.row(i).end());
    }
    CHECK(found == expected);
    CHECK_THROWS_AS(rows_as_vocabulary(rows, 51, 1), Error);
}

TEST_CASE("few rows are repeated to many", "[bench]") {
    const Descriptors rows{2, {1, 2, 3, 4, 5, 6}};
    CHECK(repeated(rows, 2).values == std::vector<float>{1, 2, 3, 4});
    CHECK(repeated(rows, 5).values == std::vector<float>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4});
}

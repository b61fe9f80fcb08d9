#include "tests/support/nearest_by_rule.hpp"

#include <bowhist/assign/nearest_words.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

} // namespace

TEST_CASE("nearest words: those that the rule finds among all, in its order") {
    for (const std::size_t k : {1, 4, 31, 32, 33, 100, 700})
        for (const std::size_t dimensions : {1, 3, 52})
            for (const int values : {2, 5, 1 << 20})
                for (const float unit : {1.0F, 1e-30F, 3e17F}) {
                    const Vocabulary words{dimensions, draw_whole(k * dimensions, values, unit, 1)};
                    const auto rows = draw_whole(40 * dimensions, values, unit, 2);
                    for (const std::size_t m : {1, 2, 5, 64}) {
                        INFO(k << " words of " << dimensions << ", " << values << ", " << unit);
                        CHECK(NearestWords(words, m).find(rows) == nearest_by_rule(rows, words, m));
                    }
                }
}

TEST_CASE("nearest words: the first is the word, for any number of threads") {
    const Vocabulary words{64, draw_whole(300 * 64, 1000, 0.001F, 3)};
    const auto rows = draw_whole(500 * 64, 1000, 0.001F, 4);
    const NearestWords nearest(words, 3);
    const auto all = nearest.find(rows);
    for (std::size_t i = 0; i < 500; ++i)
        CHECK(all[3 * i] == bowhist::nearest(std::span(rows).subspan(64 * i, 64), words));
    tbb::task_arena one(1);
    CHECK(one.execute([&] { return nearest.find(rows); }) == all);
    CHECK(nearest.find({}).empty());
}

TEST_CASE("nearest words: a unit in the last place decides") {
    Vocabulary words{2, {}};
    float x = 1;
    for (int i = 0; i < 50; ++i, x = std::nextafter(x, 2.0F)) {
        words.values.insert(words.values.begin(), {x, 1});
    }
    const std::vector<float> rows{1, 1, 1, 2, 1.0000001F, 0, 3000, 4000};
    for (const std::size_t m : {1, 5, 49})
        CHECK(NearestWords(words, m).find(rows) == nearest_by_rule(rows, words, m));
}

TEST_CASE("nearest words: rows that are not finite have the lowest, others what they had") {
    const Vocabulary words{2, draw_whole(40, 9, 1, 5)};
    const std::vector<float> rows{1, 2, std::nanf(""), 0, infinity, 1, 3, -1, -infinity, infinity};
    const auto all = NearestWords(words, 3).find(rows);
    const auto expected = nearest_by_rule({1, 2, 3, -1}, words, 3);
    for (const std::size_t i : {1, 2, 4})
        for (std::size_t j = 0; j < 3; ++j) CHECK(all[3 * i + j] == static_cast<std::int32_t>(j));
    CHECK(std::equal(expected.begin(), expected.begin() + 3, all.begin()));
    CHECK(std::equal(expected.begin() + 3, expected.end(), all.begin() + 9));
}

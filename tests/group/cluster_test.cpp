#include "tests/support/descriptors.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/group/cluster.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("cluster: groups are numbered by size, and distances are to the group's centre") {
    // Seven rows near (1,0), three near (0,1), five near (5,5).
    std::vector<float> features;
    const auto add = [&](int count, float x, float y) {
        for (int i = 0; i < count; ++i)
            features.insert(features.end(), {x, y + 0.01F * static_cast<float>(i)});
    };
    add(3, 0, 1);
    add(7, 1, 0);
    add(5, 5, 5);
    Observer silent;
    const LevelChoice level = choose_level({.level = "openmp"}, 2, 3);
    const Grouping grouping = cluster(features, 2, {.groups = 3}, level, silent);
    CHECK(grouping.group == std::vector<std::size_t>{2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
    CHECK(grouping.distance[1] == Approx(0).margin(1e-6));
    CHECK(grouping.distance[0] == Approx(0.01).epsilon(1e-4));
    CHECK(grouping.distance[3] == Approx(0.03).epsilon(1e-4));
}

TEST_CASE("cluster: many pictures are grouped as few are, by every level of the host") {
    // 2500 rows around six places, of unlike numbers.
    std::vector<float> features;
    std::vector<std::size_t> expected;
    for (std::size_t row = 0; row < 2500; ++row) {
        const std::size_t place = row % 50 == 0 ? 5 : row % 10 == 1 ? 4 : row % 4;
        expected.push_back(place);
        for (std::size_t i = 0; i < 6; ++i)
            features.push_back((i == place ? 1.0F : 0.0F) +
                               0.01F * static_cast<float>((row * 31 + i * 17) % 13));
    }
    Observer silent;
    for (const char *name : {"serial", "openmp", "simd"}) {
        const LevelChoice level = choose_level({.level = name}, 6, 6);
        const Grouping grouping = cluster(features, 6, {.groups = 6}, level, silent);
        std::set<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t row = 0; row < expected.size(); ++row)
            pairs.emplace(expected[row], grouping.group[row]);
        CHECK(pairs.size() == 6);
        CHECK(grouping.report.rows > 0);
        CHECK(std::ranges::max(grouping.distance) < 0.3);
    }
}

TEST_CASE("cluster: more groups than points are k-means' own") {
    std::vector<float> features(2200);
    std::iota(features.begin(), features.end(), 0.0F);
    Observer silent;
    const LevelChoice level = choose_level({.level = "openmp"}, 1, 2100);
    const Grouping grouping = cluster(features, 1, {.groups = 2100}, level, silent);
    CHECK(std::ranges::max(grouping.group) < 2100);
    CHECK(std::ranges::max(grouping.group) > 2000);
    CHECK(std::ranges::max(grouping.distance) < 10);
}

TEST_CASE("cluster: more groups than pictures is an error") {
    Observer silent;
    const std::vector<float> features(6, 1.0F);
    const LevelChoice level = choose_level({.level = "serial"}, 2, 4);
    CHECK_THROWS_WITH(cluster(features, 2, {.groups = 4}, level, silent),
                      Catch::StartsWith("3 pictures cannot make 4 groups"));
    CHECK_THROWS_WITH(cluster(std::span(features).first(2), 2, {.groups = 4}, level, silent),
                      Catch::StartsWith("1 picture cannot"));
}

TEST_CASE("normalize: each sums to one in its own way, and zeros stay zeros") {
    const std::vector<std::uint32_t> counts = {3, 0, 1, 12};
    double sum = 0;
    for (const float share : normalize(counts, Normalization::l1)) sum += share;
    CHECK(sum == Approx(1));
    for (const Normalization how : {Normalization::l2, Normalization::hellinger}) {
        double squares = 0;
        for (const float x : normalize(counts, how)) squares += double{x} * x;
        CHECK(squares == Approx(1));
    }
    CHECK(normalize(counts, Normalization::none) == std::vector<float>{3, 0, 1, 12});
    const std::vector<std::uint32_t> nothing(4, 0);
    for (const Normalization how :
         {Normalization::none, Normalization::l1, Normalization::l2, Normalization::hellinger})
        CHECK(normalize(nothing, how) == std::vector<float>(4, 0.0F));
}

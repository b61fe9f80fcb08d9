#include "tests/support/descriptors.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/group/cluster.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Few images need none.
LevelChoice no_level(std::size_t /*k*/) {
    throw Error(Fault::usage, "no level was asked for");
}

} // namespace

TEST_CASE("cluster: groups are numbered by size, and distances are to the group's center") {
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
    const Grouping grouping = cluster(features, 2, {.groups = 3}, no_level, silent);
    CHECK(grouping.group == std::vector<std::size_t>{2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
    CHECK(grouping.groups == 3);
    CHECK(grouping.distance[1] == Approx(0).margin(1e-6));
    CHECK(grouping.distance[0] == Approx(0.01).epsilon(1e-4));
    CHECK(grouping.distance[3] == Approx(0.03).epsilon(1e-4));
}

TEST_CASE("cluster: many pictures are grouped around points, alike by every level of the host") {
    // 2500 rows around six places, of unlike numbers.
    std::vector<float> features;
    std::set<std::pair<std::size_t, std::size_t>> expected, found;
    std::vector<std::size_t> places;
    for (std::size_t row = 0; row < 2500; ++row) {
        places.push_back(row % 50 == 0 ? 5 : row % 10 == 1 ? 4 : row % 4);
        for (std::size_t i = 0; i < 6; ++i)
            features.push_back((i == places.back() ? 1.0F : 0.0F) +
                               0.01F * static_cast<float>((row * 31 + i * 17) % 13));
    }
    Observer silent;
    std::vector<Grouping> groupings;
    for (const char *name : {"serial", "openmp", "simd"}) {
        std::size_t asked = 0;
        groupings.push_back(cluster(
            features, 6, {.groups = 6},
            [&](std::size_t k) {
                asked = k;
                return choose_level({.level = name}, 6, k);
            },
            silent));
        CHECK(asked == 2048);
        CHECK(groupings.back().report.rows >= 2500);
        CHECK(groupings.back().group == groupings.front().group);
        CHECK(groupings.back().distance == groupings.front().distance);
    }
    for (std::size_t row = 0; row < places.size(); ++row)
        found.emplace(places[row], groupings.front().group[row]);
    CHECK(found.size() == 6);
    CHECK(std::ranges::max(groupings.front().distance) < 0.3);
}

TEST_CASE("cluster: a point counts for its pictures") {
    // On a line: 2097 at 0, and one each at 7, 14 and 14.5. Were all points alike, 0 and 7 would
    // merge rather than 7 and the two beyond (cost 24.5, and 35); but 0 weighs too much (49).
    std::vector<float> features(2097, 0.0F);
    features.insert(features.end(), {7, 14, 14.5});
    Observer silent;
    const Grouping grouping = cluster(
        features, 1, {.groups = 2},
        [](std::size_t k) { return choose_level({.level = "serial"}, 1, k); }, silent);
    const std::vector<std::size_t> last(grouping.group.end() - 3, grouping.group.end());
    CHECK(last == std::vector<std::size_t>{1, 1, 1});
    CHECK(std::ranges::count(grouping.group, 0U) == 2097);
}

TEST_CASE("cluster: 2048 groups and more are k-means' own") {
    std::vector<float> features(2200);
    std::iota(features.begin(), features.end(), 0.0F);
    Observer silent;
    for (const std::size_t groups : {2047UL, 2048UL, 2100UL, 2200UL}) {
        const Grouping grouping = cluster(
            features, 1, {.groups = groups},
            [](std::size_t k) { return choose_level({.level = "openmp"}, 1, k); }, silent);
        CHECK(grouping.groups == groups);
        CHECK(std::ranges::max(grouping.group) + 1 == groups);
        CHECK(std::ranges::max(grouping.distance) < 10);
    }
}

TEST_CASE("cluster: distances are to the mean in float64") {
    Observer silent;
    const std::vector<float> features = {16777216, 7, 16777218, 7}; // no float lies between
    const Grouping grouping = cluster(features, 2, {.groups = 1}, no_level, silent);
    CHECK(grouping.distance == std::vector<double>{1, 1});
}

TEST_CASE("cluster: more groups than pictures is an error") {
    Observer silent;
    const std::vector<float> features(6, 1.0F);
    CHECK_THROWS_WITH(cluster(features, 2, {.groups = 4}, no_level, silent),
                      Catch::StartsWith("3 pictures cannot make 4 groups"));
    CHECK_THROWS_WITH(cluster(std::span(features).first(2), 2, {.groups = 4}, no_level, silent),
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

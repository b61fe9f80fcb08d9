// Groups of rows: what all methods promise, and what each is for.
#include "tests/support/descriptors.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/group/grouping.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

LevelChoice level_of_host(std::size_t k, std::size_t dimensions, const char *name) {
    return choose_level({.level = name}, dimensions, k);
}

constexpr GroupMethod methods[] = {GroupMethod::leiden, GroupMethod::ward, GroupMethod::average,
                                   GroupMethod::kmeans};

Grouping grouped(const IntegerRows &rows, GroupRequest request, const char *level = "serial") {
    Observer silent;
    request.choose = [&](std::size_t k) { return level_of_host(k, rows.dimensions, level); };
    return group_rows(rows, request, silent);
}

/// Rows around a few places of unlike numbers, and each row's place: 0 has most.
struct Places {
    IntegerRows rows;
    std::vector<std::int32_t> of_row;
};

Places rows_at_places(std::size_t count, std::size_t places, float noise, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    const Descriptors centers = random_descriptors(places, 16, seed + 1);
    std::vector<float> features;
    Places result;
    for (std::size_t row = 0; row < count; ++row) {
        // place 0 has twice as many as place 1 has, and so on down to an eighth
        std::size_t place = 0;
        while (place + 1 < places && engine() % 3 != 0) ++place;
        result.of_row.push_back(static_cast<std::int32_t>(place));
        for (const float x : centers.row(place)) features.push_back(x + noise * normal(engine));
    }
    result.rows = integer_rows(features, 16);
    return result;
}

bool same_partition(const std::vector<std::int32_t> &a, const std::vector<std::int32_t> &b) {
    std::map<std::int32_t, std::int32_t> there, back;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (there.emplace(a[i], b[i]).first->second != b[i]) return false;
        if (back.emplace(b[i], a[i]).first->second != a[i]) return false;
    }
    return true;
}

} // namespace

TEST_CASE("group rows: each method finds groups that are plain, and numbers them by size") {
    const Places places = rows_at_places(800, 6, 0.05F, 3);
    for (const GroupMethod method : methods) {
        INFO(static_cast<int>(method));
        const Grouping grouping = grouped(places.rows, {.method = method, .groups = 6});
        CHECK(grouping.groups == 6);
        CHECK(same_partition(grouping.group, places.of_row));
        for (std::size_t i = 1; i < 6; ++i)
            CHECK(grouping.summaries[i - 1].size >= grouping.summaries[i].size);
    }
    CHECK(same_partition(grouped(places.rows, {.resolution = {300'000}}).group, places.of_row));
}

TEST_CASE("group rows: there are as many groups as asked for, by each method") {
    const Places places = rows_at_places(300, 8, 0.5F, 4);
    for (const GroupMethod method : methods)
        for (const std::size_t groups : {1UL, 2UL, 7UL, 30UL, 150UL, 299UL, 300UL}) {
            INFO(static_cast<int>(method) << ' ' << groups);
            const Grouping grouping = grouped(places.rows, {.method = method, .groups = groups});
            CHECK(grouping.groups == groups);
            CHECK(std::set(grouping.group.begin(), grouping.group.end()).size() == groups);
        }
}

TEST_CASE("group rows: equal rows share a group, and then there are fewer") {
    IntegerRows rows{2, {}};
    for (int i = 0; i < 40; ++i) {
        const auto x = static_cast<std::int16_t>(i % 4);
        rows.values.insert(rows.values.end(), {x, static_cast<std::int16_t>(3 - x)});
    }
    for (const GroupMethod method : methods) {
        const Grouping grouping = grouped(rows, {.method = method, .groups = 40});
        CHECK(grouping.groups <= 4);
        for (std::size_t i = 4; i < 40; ++i) CHECK(grouping.group[i] == grouping.group[i % 4]);
    }
    const IntegerRows equal{2, std::vector<std::int16_t>(200, 7)};
    for (const GroupMethod method : methods)
        CHECK(grouped(equal, {.method = method, .groups = 3}).groups == 1);
    CHECK(grouped(equal, {}).groups == 1);
    CHECK(grouped({2, {1, 2}}, {}).group == std::vector<std::int32_t>{0});
}

TEST_CASE("group rows: a thousand copies of one image change no other's group") {
    const Places places = rows_at_places(300, 5, 0.3F, 5);
    const Grouping without = grouped(places.rows, {});
    IntegerRows rows = places.rows;
    for (int i = 0; i < 1000; ++i)
        for (std::size_t j = 0; j < 16; ++j) rows.values.push_back(places.rows.values[j]);
    const Grouping with = grouped(rows, {});
    const std::vector<std::int32_t> others(with.group.begin(), with.group.begin() + 300);
    CHECK(same_partition(others, without.group));
    for (std::size_t i = 300; i < 1300; ++i) CHECK(with.group[i] == with.group[0]);
}

TEST_CASE("group rows: rows of zeros have a group of their own") {
    Places places = rows_at_places(100, 3, 0.1F, 6);
    places.rows.values.insert(places.rows.values.end(), 32, 0);
    const Grouping grouping = grouped(places.rows, {});
    CHECK(grouping.group[100] == grouping.group[101]);
    CHECK(std::ranges::count(grouping.group, grouping.group[100]) == 2);
    CHECK(grouping.distance[100] == 0);
}

TEST_CASE("group rows: the same for every level and number of threads") {
    const Places places = rows_at_places(2500, 9, 0.6F, 7);
    for (const GroupMethod method : methods) {
        const GroupRequest request{.method = method, .groups = 9};
        const Grouping expected = grouped(places.rows, request);
        for (const char *level : {"openmp", "simd"}) {
            const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
            const Grouping grouping = grouped(places.rows, request, level);
            CHECK(grouping.group == expected.group);
            CHECK(grouping.distance == expected.distance);
        }
    }
}

TEST_CASE("group rows: k-means' groups are those of the nearest mean direction") {
    // Unlike spreads, so that means have unlike lengths.
    std::mt19937 engine(9);
    std::normal_distribution<float> normal;
    const Descriptors centers = random_descriptors(4, 16, 10);
    std::vector<float> features;
    for (std::size_t row = 0; row < 800; ++row)
        for (const float x : centers.row(row % 4))
            features.push_back(x + 0.4F * static_cast<float>(1 + row % 4) * normal(engine));
    const IntegerRows rows = integer_rows(features, 16);
    const Grouping grouping = grouped(rows, {.method = GroupMethod::kmeans, .groups = 4});
    std::vector<std::vector<double>> means(4, std::vector<double>(16, 0));
    for (std::size_t row = 0; row < 800; ++row)
        for (std::size_t i = 0; i < 16; ++i)
            means[static_cast<std::size_t>(grouping.group[row])][i] += rows.row(row)[i];
    int elsewhere = 0;
    for (std::size_t row = 0; row < 800; ++row) {
        std::vector<double> likeness;
        for (const auto &mean : means) {
            double dot = 0, squares = 0;
            for (std::size_t i = 0; i < 16; ++i) {
                dot += mean[i] * rows.row(row)[i];
                squares += mean[i] * mean[i];
            }
            likeness.push_back(dot / std::sqrt(squares));
        }
        if (std::ranges::max_element(likeness) - likeness.begin() != grouping.group[row])
            ++elsewhere;
    }
    CHECK(elsewhere <= 1);
}

TEST_CASE("group rows: where memory is short, ward gathers many images around points") {
    // 2500 rows around six places, of unlike numbers.
    std::vector<float> features;
    std::vector<std::int32_t> places;
    for (std::size_t row = 0; row < 2500; ++row) {
        places.push_back(row % 50 == 0   ? 5
                         : row % 10 == 1 ? 4
                                         : static_cast<std::int32_t>(row % 4));
        for (std::size_t i = 0; i < 6; ++i)
            features.push_back((static_cast<std::int32_t>(i) == places.back() ? 1.0F : 0.0F) +
                               0.00005F * static_cast<float>((row * 31 + i * 1700) % 2503));
    }
    const IntegerRows rows = integer_rows(features, 6);
    for (const char *level : {"serial", "simd"}) {
        std::string warned;
        std::size_t asked = 0;
        struct Listener : Observer {
            explicit Listener(std::string &line) : line_(line) {}
            void warning(const std::string &line) override { line_ = line; }
            std::string &line_;
        } listener(warned);
        GroupRequest request{.method = GroupMethod::ward, .groups = 6, .most_linked = 2400};
        request.choose = [&](std::size_t k) {
            asked = k;
            return level_of_host(k, 6, level);
        };
        const Grouping grouping = group_rows(rows, request, listener);
        CHECK(asked == most_gathered_points);
        CHECK(grouping.report.rows >= 2500);
        CHECK(same_partition(grouping.group, places));
        CHECK_THAT(warned, Catch::Contains("are gathered around 2048 points"));
    }
}

TEST_CASE("group rows: average linkage stays what it is where rows are gathered first") {
    // Directions in a plane: a chain of near rows, and a pair. Ward parts the heavy chain, average
    // linkage the far pair.
    std::vector<float> features;
    const auto add = [&](double degrees) {
        constexpr double radian = 3.14159265358979 / 180;
        features.push_back(static_cast<float>(std::cos(degrees * radian)));
        features.push_back(static_cast<float>(std::sin(degrees * radian)));
    };
    for (int row = 0; row < 3000; ++row) add(0.02 * row);
    add(110);
    add(110.5);
    const IntegerRows rows = integer_rows(features, 2);
    const auto groups = [&](GroupMethod method, std::size_t most_linked) {
        return grouped(rows, {.method = method, .groups = 2, .most_linked = most_linked}).group;
    };
    const auto average = groups(GroupMethod::average, 4000);
    CHECK(std::ranges::count(average, 1) == 2);
    CHECK(same_partition(average, groups(GroupMethod::average, 2500)));
    CHECK(std::ranges::count(groups(GroupMethod::ward, 4000), 1) > 100);
    CHECK(std::ranges::count(groups(GroupMethod::ward, 2500), 1) > 100);
}

TEST_CASE("group rows: memory decides whether rows are merged, never how") {
    IntegerRows rows{2, {}};
    for (std::int16_t row = 0; row < 300; ++row)
        rows.values.insert(rows.values.end(), {row, std::int16_t{1000}});
    GroupRequest request{.method = GroupMethod::ward, .groups = 2, .memory = 360'000};
    CHECK(grouped(rows, request).groups == 2);
    request.memory -= 1;
    CHECK_THROWS_WITH(grouped(rows, request), Catch::Contains("takes 360000 bytes of memory") &&
                                                  Catch::Contains("359999 bytes are free"));
    CHECK(linkage_bytes(most_linked_rows) <= 2'000'000'000);
}

TEST_CASE("group rows: distances are to the center of the rows at unit length") {
    // at 0 and 90 degrees: the center is (1/2, 1/2); the lengths do not count
    const IntegerRows rows{2, {100, 0, 0, 7, 50, 0, 0, 20}};
    const Grouping grouping = grouped(rows, {.method = GroupMethod::ward, .groups = 1});
    for (const double distance : grouping.distance) CHECK(distance == std::sqrt(0.5));
    CHECK(grouping.summaries[0].size == 4);
    CHECK(grouping.summaries[0].typical == 0);
    CHECK(grouping.summaries[0].spread == std::sqrt(0.5));
}

TEST_CASE("group rows: more groups than pictures is an error, and so is no row") {
    const IntegerRows rows{2, {1, 2, 3, 4, 5, 6}};
    CHECK_THROWS_WITH(grouped(rows, {.groups = 4}),
                      Catch::StartsWith("3 pictures cannot make 4 groups"));
    CHECK_THROWS_WITH(grouped({2, {1, 2}}, {.groups = 4}), Catch::StartsWith("1 picture cannot"));
    CHECK_THROWS_WITH(grouped({2, {}}, {}), Catch::StartsWith("there are no pictures"));
    CHECK_THROWS_WITH(grouped(rows, {.method = GroupMethod::ward}), Catch::Contains("-k"));
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

// Groups that stay: their numbers, what became of them, and where new rows go.
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/kept_numbers.hpp>

#include <catch2/catch.hpp>

#include <random>

using namespace bowhist;

namespace {

using Groups = std::vector<std::int32_t>;

constexpr std::size_t dimensions = 24;

/// `count` rows around the axis of each theme: far from those of other themes.
IntegerRows rows_of_themes(const std::vector<std::size_t> &themes, std::size_t count,
                           unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<float> features;
    for (const std::size_t theme : themes)
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t d = 0; d < dimensions; ++d)
                features.push_back((d == theme ? 10.0F : 0.0F) +
                                   static_cast<float>(engine() % 1000) / 500);
    return integer_rows(features, dimensions);
}

IntegerRows joined(IntegerRows a, const IntegerRows &b) {
    a.values.insert(a.values.end(), b.values.begin(), b.values.end());
    return a;
}

Grouping grouped(const IntegerRows &rows, const Groups &start = {}) {
    Observer silent;
    return group_rows(rows, {.start = start}, silent);
}

Groups with_new(Groups before, std::size_t count) {
    before.resize(before.size() + count, -1);
    return before;
}

} // namespace

TEST_CASE("continued groups: numbers go to the groups that share most images") {
    Groups group = {0, 0, 0, 1, 1, 2, 2, -1};
    const Groups before = {4, 4, 7, 7, 7, -1, -1, 4};
    CHECK(keep_numbers(before, group) == 8);
    CHECK(group == Groups{4, 4, 4, 7, 7, 0, 0, -1});
    CHECK(changes(before, group) ==
          std::vector<std::string>{"group 0 is new (2 pictures)",
                                   "1 picture moved from group 7 to group 4"});
    Groups one = {3, 3, 3};
    CHECK(keep_numbers(Groups{0, 1, 1}, one) == 2);
    CHECK(one == Groups{1, 1, 1});
    CHECK(changes(Groups{0, 1, 1}, one) ==
          std::vector<std::string>{"group 0 was joined to group 1 (1 picture)"});
    Groups two = {0, 0, 1};
    CHECK(keep_numbers(Groups{5, 5, 5}, two) == 6);
    CHECK(changes(Groups{5, 5, 5}, two) ==
          std::vector<std::string>{"group 0 was split off group 5 (1 picture)"});
    Groups three = {0, 1, 2, 2};
    CHECK(keep_numbers(Groups{2, 2, 0, 2}, three) == 3);
    CHECK(three == Groups{2, 1, 0, 0});
    CHECK(changes(Groups{2, 0}, Groups{-1, 0}) == std::vector<std::string>{"group 2 is gone"});
}

TEST_CASE("continued groups: from their own groups nothing changes") {
    const IntegerRows rows = rows_of_themes({0, 1, 2, 3}, 40, 1);
    const Grouping first = grouped(rows);
    REQUIRE(first.groups == 4);
    CHECK(grouped(rows, first.group).group == first.group);
    Groups moved = first.group; // by a user: numbers that leave gaps stay
    for (std::int32_t &group : moved) group = 3 * group + 2;
    const Grouping second = grouped(rows, moved);
    CHECK(second.group == moved);
    CHECK(second.filled() == 4);
    CHECK(second.groups == 12);
}

TEST_CASE("continued groups: a new theme gets a new number, and new rows join their themes") {
    const IntegerRows old = rows_of_themes({0, 1, 2}, 40, 2);
    const Grouping first = grouped(old);
    REQUIRE(first.groups == 3);
    const IntegerRows all =
        joined(joined(old, rows_of_themes({1}, 5, 3)), rows_of_themes({9}, 30, 4));
    const Grouping second = grouped(all, with_new(first.group, 35));
    Groups expected = first.group;
    expected.insert(expected.end(), 5, first.group[40]);
    expected.insert(expected.end(), 30, 3);
    CHECK(second.group == expected);
}

TEST_CASE("continued groups: groups that a user put together stay so") {
    const IntegerRows rows = rows_of_themes({0, 1, 2, 3, 4, 5}, 30, 5);
    Groups groups = grouped(rows).group;
    for (std::int32_t &group : groups)
        if (group == 4) group = 1;
    CHECK(grouped(rows, groups).group == groups);
}

TEST_CASE("continued groups: groups are not joined where others are like them") {
    // a theme in two halves, as a user divided it
    const IntegerRows rows = rows_of_themes({0, 1, 2}, 40, 6);
    Groups groups = grouped(rows).group;
    for (std::size_t i = 0; i < 20; ++i) groups[i] = 3;
    const Grouping second = grouped(rows, groups);
    CHECK(second.filled() == 4);
    CHECK(second.group == groups);
}

TEST_CASE("continued groups: only new rows are placed, beside their nearest") {
    const IntegerRows old = rows_of_themes({0, 1}, 30, 7);
    Groups groups(60, 0);
    std::fill(groups.begin() + 30, groups.end(), 5);
    groups[0] = -1; // fits nowhere, and stays there
    const IntegerRows all = joined(old, rows_of_themes({1, 0}, 3, 8));
    std::vector<bool> is_new(66, false);
    std::fill(is_new.begin() + 60, is_new.end(), true);
    Observer silent;
    const Grouping placed = place_rows(all, with_new(groups, 6), is_new, silent);
    Groups expected = groups;
    expected.insert(expected.end(), 3, 5);
    expected.insert(expected.end(), 3, 0);
    CHECK(placed.group == expected);
    CHECK(placed.filled() == 2);
    CHECK(placed.summaries[0].size == 32);
}

TEST_CASE("continued groups: a new row's place does not depend on the other new ones") {
    const IntegerRows old = rows_of_themes({0, 1}, 30, 7);
    Groups groups(60, 0);
    std::fill(groups.begin() + 30, groups.end(), 5);
    // a burst: each has only new ones among its nearest of all
    const IntegerRows burst = rows_of_themes({2}, 40, 8);
    std::vector<bool> is_new(100, true);
    std::fill(is_new.begin(), is_new.begin() + 60, false);
    const Observer silent;
    const Groups together =
        place_rows(joined(old, burst), with_new(groups, 40), is_new, silent).group;
    for (std::size_t i = 0; i < 40; ++i) {
        const auto row = burst.row(i);
        const IntegerRows one{burst.dimensions, {row.begin(), row.end()}};
        is_new.assign(60, false);
        is_new.push_back(true);
        const Groups alone =
            place_rows(joined(old, one), with_new(groups, 1), is_new, silent).group;
        CHECK(alone.back() >= 0);
        CHECK(alone.back() == together[60 + i]);
    }
}

TEST_CASE("continued groups: rows without clear themes keep their groups when others come") {
    std::mt19937 engine(9);
    std::vector<float> features(420 * dimensions);
    for (float &feature : features) feature = static_cast<float>(engine() % 1000) - 500;
    const IntegerRows all = integer_rows(features, dimensions);
    IntegerRows old = all;
    old.values.resize(400 * dimensions);
    const Grouping first = grouped(old);
    const Grouping second = grouped(all, with_new(first.group, 20));
    std::size_t kept = 0;
    for (std::size_t row = 0; row < old.size(); ++row)
        kept += first.group[row] == second.group[row] ? 1 : 0;
    CHECK(kept >= 388); // 97 %
}

TEST_CASE("continued groups: a new row goes where most of its neighbors are, not the nearest") {
    std::vector<float> features;
    const auto add = [&](float x, float y, float z) { features.insert(features.end(), {x, y, z}); };
    add(100, 1, 0); // of group 1, the nearest
    for (int i = 0; i < 12; ++i) add(100, 4, static_cast<float>(i) / 10);
    for (int i = 0; i < 110; ++i) add(static_cast<float>(-i), 100, 0); // others of group 1
    add(100, 0, 0);                                                    // new
    const IntegerRows rows = integer_rows(features, 3);
    Groups groups(rows.size(), 1);
    std::fill(groups.begin() + 1, groups.begin() + 13, 0);
    std::vector<bool> is_new(rows.size(), false);
    is_new.back() = true;
    Observer silent;
    CHECK(place_rows(rows, groups, is_new, silent).group.back() == 0);
}

TEST_CASE("continued groups: a copy of an image that a user moved does not follow it") {
    IntegerRows rows{2, {}};
    GroupRequest request;
    for (std::int16_t i = 1; i <= 20; ++i) { // two places, like each other's mirror image
        rows.values.insert(rows.values.end(), {100, i, i, 100});
        request.start.insert(request.start.end(), {0, 1});
    }
    rows.values.insert(rows.values.end(), {70, 70, 70, 70}); // half-way between them
    request.start.insert(request.start.end(), {1, 0});
    request.held.assign(42, false);
    request.held[40] = true;
    Observer silent;
    CHECK(group_rows(rows, request, silent).group == request.start);
}

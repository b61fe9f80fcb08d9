// Groups within groups, their trees, and images that fit nowhere.
#include "tests/support/descriptors.hpp"

#include <bowhist/group/grouping.hpp>
#include <bowhist/group/levels.hpp>
#include <bowhist/group/method_groups.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Three places, each with four places near it, 60 rows around each of these.
IntegerRows nested_rows() {
    const Descriptors outer = random_descriptors(3, 16, 1);
    const Descriptors inner = random_descriptors(12, 16, 2, 0.5F);
    const Descriptors noise = random_descriptors(720, 16, 3, 0.12F);
    std::vector<float> features;
    for (std::size_t row = 0; row < 720; ++row)
        for (std::size_t i = 0; i < 16; ++i)
            features.push_back(outer.row(row % 3)[i] + inner.row(row % 12)[i] + noise.row(row)[i]);
    return integer_rows(features, 16);
}

Grouping grouped(const IntegerRows &rows, const GroupRequest &request) {
    Observer silent;
    return group_rows(rows, request, silent);
}

void check_nested(const Grouping &grouping) {
    std::vector<std::int32_t> above = grouping.group;
    for (const auto &level : grouping.levels) {
        std::map<std::int32_t, std::int32_t> inside;
        for (std::size_t i = 0; i < level.size(); ++i) {
            CHECK(inside.emplace(level[i], above[i]).first->second == above[i]);
            CHECK((level[i] < 0) == (above[i] < 0));
        }
        CHECK(std::ranges::max(level) > std::ranges::max(above));
        CHECK(std::ranges::is_sorted(inside, {}, [](const auto &one) { return one.second; }));
        above = level;
    }
}

void check_tree(const Tree &tree, std::size_t images) {
    const auto root = static_cast<std::uint32_t>(tree.parents.size() - 1);
    CHECK(tree.parents[root] == root);
    std::vector<int> children(tree.parents.size(), 0);
    for (std::uint32_t node = 0; node < root; ++node) {
        CHECK(tree.parents[node] > node);
        CHECK(tree.parents[node] >= images);
        CHECK(tree.heights[node] <= tree.heights[tree.parents[node]]);
        ++children[tree.parents[node]];
    }
    for (std::size_t node = images; node <= root; ++node) CHECK(children[node] > 0);
}

} // namespace

TEST_CASE(
    "grouping levels: each is finer than the one before, and finds the groups within groups") {
    const IntegerRows rows = nested_rows();
    for (const GroupMethod method :
         {GroupMethod::leiden, GroupMethod::ward, GroupMethod::average}) {
        INFO(static_cast<int>(method));
        const Grouping grouping =
            grouped(rows, {.method = method, .groups = 3, .levels = true, .tree = true});
        REQUIRE(!grouping.levels.empty());
        check_nested(grouping);
        check_tree(*grouping.tree, rows.size());
    }
    const Grouping grouping = grouped(rows, {.groups = 3, .levels = true});
    std::set<std::pair<std::size_t, std::int32_t>> found;
    for (std::size_t row = 0; row < rows.size(); ++row)
        found.emplace(row % 12, grouping.levels[0][row]);
    CHECK(found.size() == 12);
}

TEST_CASE("grouping levels: few images have none, and a tree all the same") {
    const IntegerRows rows{2, {9, 1, 8, 1, 1, 9, 1, 8, 9, 1}};
    for (const GroupMethod method : {GroupMethod::leiden, GroupMethod::ward}) {
        const Grouping grouping =
            grouped(rows, {.method = method, .groups = 2, .levels = true, .tree = true});
        CHECK(grouping.group == std::vector<std::int32_t>{0, 0, 1, 1, 0});
        check_tree(*grouping.tree, 5);
    }
    check_tree(*grouped({2, {1, 2}}, {.tree = true}).tree, 1);
    check_tree(*grouped({2, {1, 2, 1, 2}}, {.tree = true}).tree, 2);
    check_tree(
        *grouped({2, {1, 2, 1, 2}}, {.method = GroupMethod::ward, .groups = 1, .tree = true}).tree,
        2);
}

TEST_CASE("grouping levels: groups whose numbers leave gaps are divided, too") {
    GroupRequest request{.groups = 3, .levels = true};
    const IntegerRows rows = nested_rows();
    const Grouping plain = grouped(rows, request);
    request.groups = 0;
    for (const std::int32_t group : plain.group) request.start.push_back(group + 11);
    const Grouping gaps = grouped(rows, request);
    REQUIRE(gaps.group == request.start);
    CHECK(gaps.levels == plain.levels);
}

TEST_CASE("grouping levels: images that a user moved are in a part of the group they are in") {
    IntegerRows rows = nested_rows();
    const Grouping plain = grouped(rows, {.groups = 3});
    for (int copies = 0; copies < 2; ++copies) {
        const auto first = rows.row(0);
        const std::vector<std::int16_t> copy(first.begin(), first.end());
        rows.values.insert(rows.values.end(), copy.begin(), copy.end());
    }
    for (int i = 0; i < 16; ++i) rows.values.push_back(0); // fits nowhere
    GroupRequest request{.outliers = true, .levels = true, .tree = true};
    const std::int32_t own = plain.group[0];
    const std::int32_t other = (own + 1) % 3;
    for (const std::size_t moved : {std::size_t{0}, std::size_t{721}}) {
        INFO(moved);
        request.start = plain.group;
        request.start.insert(request.start.end(), {own, own, other});
        request.start[moved] = other;
        request.held.assign(723, false);
        request.held[moved] = request.held[722] = true;
        const Grouping grouping = grouped(rows, request);
        for (const std::size_t image : {0, 720, 721, 722}) { // copies do not follow
            INFO(image);
            CHECK(grouping.group[image] == request.start[image]);
        }
        REQUIRE(!grouping.levels.empty());
        check_nested(grouping);
        check_tree(*grouping.tree, rows.size());
    }
}

TEST_CASE("newick: names are quoted, heights become lengths") {
    Tree tree;
    for (int i = 0; i < 3; ++i) tree.add(0);
    tree.parents[0] = tree.parents[1] = tree.add(1.5);
    tree.parents[2] = tree.parents[3] = tree.add(2);
    std::string text;
    write_newick(tree, std::vector<std::string>{"a.jpg", "it's", "c d"},
                 [&](std::string_view part) { text += part; });
    CHECK(text == "('c d':2,('a.jpg':1.5,'it''s':1.5):0.5);\n");
}

TEST_CASE("outliers: rows like no other fit nowhere; two odd ones that are alike do") {
    IntegerRows rows = nested_rows();
    const std::size_t plain = rows.size();
    const Descriptors odd = random_descriptors(4, 16, 77);
    IntegerRows added = integer_rows(odd.values, 16);
    added.values.insert(added.values.end(), added.row(3).begin(), added.row(3).end());
    added.values.back() = static_cast<std::int16_t>(added.values.back() + 900); // nearly a copy
    rows.values.insert(rows.values.end(), added.values.begin(), added.values.end());
    rows.values.insert(rows.values.end(), 32, 0);
    const Grouping grouping = grouped(rows, {.outliers = true, .levels = true, .tree = true});
    for (std::size_t i = 0; i < 3; ++i) CHECK(grouping.group[plain + i] == Grouping::nowhere);
    CHECK(grouping.group[plain + 3] >= 0);
    CHECK(grouping.group[plain + 3] == grouping.group[plain + 4]);
    CHECK(grouping.group[plain + 5] == Grouping::nowhere);
    CHECK(grouping.group[plain + 6] == Grouping::nowhere);
    CHECK(std::count(grouping.group.begin(), grouping.group.begin() + 720, Grouping::nowhere) < 8);
    check_nested(grouping);
    check_tree(*grouping.tree, rows.size());
    CHECK(grouped({2, std::vector<std::int16_t>(8, 0)}, {.outliers = true, .tree = true}).groups ==
          0);
}

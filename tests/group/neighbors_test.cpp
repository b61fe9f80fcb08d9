// Neighbors against the definition: every pair, sorted.
#include "tests/group/random_codes.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/only_target.hpp"

#include <bowhist/group/graph.hpp>
#include <bowhist/group/likeness.hpp>
#include <bowhist/group/neighbors.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <random>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// In long doubles, whose 64 bits hold the squares of products below 2³².
std::vector<std::vector<Neighbor>> by_definition(const IntegerRows &rows, std::size_t most) {
    std::vector<std::vector<Neighbor>> lists(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<Neighbor> &list = lists[i];
        if (product(rows.row(i), rows.row(i)) == 0) continue;
        for (std::size_t j = 0; j < rows.size(); ++j)
            if (j != i && product(rows.row(j), rows.row(j)) != 0)
                list.push_back({static_cast<std::uint32_t>(j), product(rows.row(i), rows.row(j))});
        const auto likeness = [&](const Neighbor &one) {
            const long double squared = product(rows.row(one.row), rows.row(one.row));
            const long double x = one.product;
            return x * std::abs(x) / squared;
        };
        std::ranges::stable_sort(list, std::ranges::greater{}, likeness);
        list.resize(std::min(most, list.size()));
    }
    return lists;
}

std::vector<std::vector<Neighbor>> found(const IntegerRows &rows, std::size_t most) {
    Observer silent;
    const Neighbors neighbors = nearest_neighbors(rows, most, silent);
    std::vector<std::vector<Neighbor>> lists;
    for (std::size_t i = 0; i < rows.size(); ++i)
        lists.emplace_back(neighbors.of(i).begin(), neighbors.of(i).end());
    return lists;
}

} // namespace

TEST_CASE("neighbors: they are those of the definition, for every number of rows and dimensions") {
    for (const std::size_t n : {0UL, 1UL, 2UL, 5UL, 11UL, 47UL, 48UL, 49UL, 481UL, 1000UL})
        for (const std::size_t dimensions : {1UL, 2UL, 7UL, 128UL}) {
            INFO(n << ' ' << dimensions);
            const IntegerRows rows = random_codes(n, dimensions, 3, 127);
            CHECK(found(rows, 10) == by_definition(rows, 10));
        }
}

TEST_CASE("neighbors: ties are exact, and go to the lower index") {
    // Few values in few dimensions: most likenesses equal others, of rows of other lengths, too.
    for (const unsigned seed : {1U, 2U}) {
        const IntegerRows rows = random_codes(700, 3, seed, 2);
        CHECK(found(rows, 10) == by_definition(rows, 10));
    }
}

TEST_CASE("neighbors: likenesses that floats cannot part are parted") {
    // Near-equal directions of length 32000: products differ by less than a float's last bit.
    IntegerRows rows{2, {}};
    for (int i = 0; i < 300; ++i)
        rows.values.insert(rows.values.end(), {static_cast<std::int16_t>(31990 - i % 7),
                                               static_cast<std::int16_t>(i * 37 % 300)});
    CHECK(found(rows, 10) == by_definition(rows, 10));
}

TEST_CASE("neighbors: rows of zeros have none and are none") {
    IntegerRows rows = random_codes(60, 4, 5, 9);
    for (const std::size_t row : {0UL, 7UL, 59UL})
        std::fill_n(rows.values.begin() + static_cast<std::ptrdiff_t>(row * 4), 4, std::int16_t{0});
    const auto lists = found(rows, 10);
    CHECK(lists == by_definition(rows, 10));
    CHECK(lists[7].empty());
    CHECK(found({4, std::vector<std::int16_t>(40, 0)}, 10) ==
          std::vector<std::vector<Neighbor>>(10));
}

TEST_CASE("neighbors: they do not depend on the number of threads") {
    const IntegerRows rows = random_codes(3000, 16, 8, 3);
    const auto expected = found(rows, 10);
    for (const std::size_t threads : {1UL, 3UL}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        CHECK(found(rows, 10) == expected);
    }
}

TEST_CASE("neighbors: each generation of vector units finds the same") {
    const IntegerRows rows = random_codes(500, 37, 9, 127);
    const auto expected = by_definition(rows, 10);
    for_each_target([&](const std::string &name) {
        INFO(name);
        CHECK(found(rows, 10) == expected);
    });
}

TEST_CASE("neighbor graph: an edge for either's neighbor, once, in both lists") {
    Neighbors neighbors;
    neighbors.squared_norms = {1, 1, 1, 0};
    neighbors.all = {{1, 5}, {0, 5}, {0, 4}};
    neighbors.starts = {0, 1, 2, 3, 3};
    const Graph graph = neighbor_graph(neighbors);
    CHECK(graph.starts == std::vector<std::size_t>{0, 2, 3, 4, 4});
    CHECK(graph.targets == std::vector<std::uint32_t>{1, 2, 0, 0});
    CHECK(graph.strengths == std::vector<std::int64_t>{2, 1, 1, 0});
    CHECK(graph.total == 4);
    PartsOfGraph parts(graph);
    CHECK(parts.part(std::vector<std::uint32_t>{1, 2}).total == 0);
    const Graph part = parts.part(std::vector<std::uint32_t>{2, 0, 3});
    CHECK(part.targets == std::vector<std::uint32_t>{1, 0});
    CHECK(part.strengths == std::vector<std::int64_t>{1, 1, 0});
    CHECK(part.total == 2);
}

TEST_CASE("likeness: more_alike orders by product over norm, signs included") {
    CHECK(more_alike({3, 9}, {2, 9}));
    CHECK(more_alike({3, 4}, {3, 9}));
    CHECK_FALSE(more_alike({3, 9}, {3, 4}));
    CHECK(more_alike({-3, 9}, {-3, 4}));
    CHECK(more_alike({0, 9}, {-1, 9}));
    CHECK(more_alike({1, 9}, {0, 1}));
    CHECK_FALSE(more_alike({2, 4}, {3, 9})); // equal
    CHECK_FALSE(more_alike({3, 9}, {2, 4}));
    CHECK_FALSE(more_alike({0, 4}, {0, 9}));
}

TEST_CASE("integer rows: no row is longer than it may be, and all are as long as each other") {
    const Descriptors features = random_descriptors(50, 333, 4, 1e-30F);
    IntegerRows rows = integer_rows(features.values, 333);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double norm = std::sqrt(product(rows.row(i), rows.row(i)));
        CHECK(norm <= longest_integer_norm);
        CHECK(norm > longest_integer_norm - 30);
    }
    rows = integer_rows(std::vector<float>{0, 0, 3e38F, -3e38F}, 2);
    CHECK(rows.values[0] == 0);
    CHECK(rows.values[2] == -rows.values[3]);
    CHECK(rows.values[2] > 22600);
    CHECK(integer_rows(std::vector<float>(200000, 1.0F), 200000).values.back() == 71);
}

// Ward's groups against the definition: of all pairs the one whose union adds least, again and
// again.
#include "tests/group/merged_pairs.hpp"
#include "tests/support/descriptors.hpp"

#include <bowhist/group/ward.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::vector<std::uint32_t> grouped(const Descriptors &rows, const std::vector<double> &weights,
                                   std::size_t groups) {
    Observer silent;
    return ward(rows, weights, groups, silent);
}

/// The weighted sum of squared distances to the group's center.
double spread(const Descriptors &rows, const std::vector<double> &weights, const Group &group) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.dimensions; ++i) {
        double weight = 0, mean = 0;
        for (const std::size_t row : group) {
            weight += weights[row];
            mean += weights[row] * double{rows.row(row)[i]};
        }
        mean /= weight;
        for (const std::size_t row : group) {
            const double apart = double{rows.row(row)[i]} - mean;
            sum += weights[row] * apart * apart;
        }
    }
    return sum;
}

std::set<Group> by_definition(const Descriptors &rows, const std::vector<double> &weights,
                              std::size_t count) {
    return merged_pairs(rows.size(), count, [&](const Group &a, const Group &b) {
        Group both = a;
        both.insert(both.end(), b.begin(), b.end());
        return spread(rows, weights, both) - spread(rows, weights, a) - spread(rows, weights, b);
    });
}

} // namespace

TEST_CASE("ward: groups are those of the definition, weighted rows too") {
    for (const unsigned seed : {1U, 2U, 3U, 4U}) {
        const Descriptors rows = random_descriptors(40, 3, seed);
        std::mt19937 random(seed);
        std::vector<double> weights;
        for (std::size_t row = 0; row < rows.size(); ++row)
            weights.push_back(seed % 2 == 0 ? 1 : static_cast<double>(1 + random() % 9));
        for (const std::size_t groups : {1UL, 2UL, 5UL, 13UL, 39UL, 40UL}) {
            INFO(seed << ' ' << groups);
            CHECK(as_sets(grouped(rows, weights, groups)) == by_definition(rows, weights, groups));
        }
    }
}

TEST_CASE("ward: a row that counts thrice groups as three equal rows do") {
    Descriptors rows = random_descriptors(30, 4, 7);
    std::vector<double> weights(rows.size(), 1);
    weights[4] = weights[20] = 3;
    const auto weighted = grouped(rows, weights, 6);
    Descriptors repeated = rows;
    for (const std::size_t row : {4UL, 4UL, 20UL, 20UL})
        repeated.values.insert(repeated.values.end(), rows.row(row).begin(), rows.row(row).end());
    auto plain = grouped(repeated, std::vector<double>(repeated.size(), 1), 6);
    CHECK(plain[30] == plain[4]);
    CHECK(plain[33] == plain[20]);
    plain.resize(rows.size());
    CHECK(plain == weighted);
}

TEST_CASE("ward: equal rows share a group, and groups are numbered by their first rows") {
    const Descriptors rows{2, {5, 5, 0, 1, 5, 5, 0, 1, 9, 9, 5, 5}};
    const std::vector<double> weights(6, 1);
    const std::vector<std::uint32_t> distinct = {0, 1, 0, 1, 2, 0};
    CHECK(grouped(rows, weights, 6) == distinct);
    CHECK(grouped(rows, weights, 3) == distinct);
    CHECK(grouped(rows, weights, 2) == std::vector<std::uint32_t>{0, 1, 0, 1, 0, 0});
    CHECK(grouped(rows, weights, 1) == std::vector<std::uint32_t>(6, 0));
    CHECK(grouped({2, {3, 4}}, {1}, 1) == std::vector<std::uint32_t>{0});
}

TEST_CASE("ward: ties leave as many groups as asked for") {
    Descriptors grid{2, {}};
    for (int i = 0; i < 64; ++i)
        grid.values.insert(grid.values.end(),
                           {static_cast<float>(i % 8), static_cast<float>(i / 8)});
    Descriptors corners{16, std::vector<float>(256, 0)}; // all as far from each other
    for (std::size_t i = 0; i < 16; ++i) corners.values[i * 17] = 1;
    for (const Descriptors &rows : {grid, corners})
        for (std::size_t groups = 1; groups <= 16; ++groups) {
            const auto group = grouped(rows, std::vector<double>(rows.size(), 1), groups);
            CHECK(std::ranges::max(group) + 1 == groups);
        }
}

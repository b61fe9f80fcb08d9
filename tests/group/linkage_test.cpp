// Average linkage against the definition: of all pairs the one whose rows are the nearest on
// average, again and again. (Ward's method: ward_test.cpp.)
#include "tests/support/descriptors.hpp"

#include <bowhist/group/linkage.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

using Group = std::vector<std::size_t>;

double squared_distance_of(const IntegerRows &rows, std::size_t a, std::size_t b) {
    const double norms = std::sqrt(double(product(rows.row(a), rows.row(a)))) *
                         std::sqrt(double(product(rows.row(b), rows.row(b))));
    return 2 - 2 * product(rows.row(a), rows.row(b)) / norms;
}

std::set<Group> by_definition(const IntegerRows &rows, std::size_t count) {
    std::vector<Group> groups;
    for (std::size_t row = 0; row < rows.size(); ++row) groups.push_back({row});
    while (groups.size() > count) {
        double least = std::numeric_limits<double>::infinity();
        std::pair<std::size_t, std::size_t> best;
        for (std::size_t b = 1; b < groups.size(); ++b)
            for (std::size_t a = 0; a < b; ++a) {
                double sum = 0;
                for (const std::size_t i : groups[a])
                    for (const std::size_t j : groups[b]) sum += squared_distance_of(rows, i, j);
                sum /= static_cast<double>(groups[a].size() * groups[b].size());
                if (sum < least) {
                    least = sum;
                    best = {a, b};
                }
            }
        Group &kept = groups[best.first];
        const Group &gone = groups[best.second];
        kept.insert(kept.end(), gone.begin(), gone.end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(best.second));
    }
    for (Group &group : groups) std::ranges::sort(group);
    return {groups.begin(), groups.end()};
}

std::set<Group> as_sets(const std::vector<std::uint32_t> &group) {
    std::vector<Group> groups(std::ranges::max(group) + 1);
    for (std::size_t row = 0; row < group.size(); ++row) groups[group[row]].push_back(row);
    return {groups.begin(), groups.end()};
}

} // namespace

TEST_CASE("linkage: average groups are those of the definition") {
    Observer silent;
    for (const unsigned seed : {1U, 2U, 3U}) {
        const IntegerRows rows = integer_rows(random_descriptors(40, 4, seed).values, 4);
        const auto merges = merge_rows(rows, std::vector<double>(40, 1), Linkage::average, silent);
        CHECK(merges.size() == 39);
        CHECK(std::ranges::is_sorted(merges, {}, &Merge::cost));
        for (const std::size_t groups : {1UL, 2UL, 5UL, 13UL, 39UL, 40UL})
            CHECK(as_sets(cut(merges, groups)) == by_definition(rows, groups));
    }
}

TEST_CASE("linkage: a row that counts thrice merges as three equal rows do") {
    Observer silent;
    const IntegerRows rows = integer_rows(random_descriptors(30, 4, 7).values, 4);
    IntegerRows repeated = rows;
    for (int i = 0; i < 2; ++i)
        repeated.values.insert(repeated.values.end(), rows.row(4).begin(), rows.row(4).end());
    std::vector<double> weights(30, 1);
    weights[4] = 3;
    for (const Linkage linkage : {Linkage::ward, Linkage::average}) {
        const auto weighted = cut(merge_rows(rows, weights, linkage, silent), 6);
        auto plain = cut(merge_rows(repeated, std::vector<double>(32, 1), linkage, silent), 6);
        CHECK(plain[30] == plain[4]);
        plain.resize(30);
        CHECK(plain == weighted);
    }
}

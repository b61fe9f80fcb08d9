// Average linkage against the definition: of all pairs the one whose rows are the nearest on
// average, again and again. (Ward's method: ward_test.cpp.)
#include "tests/group/merged_pairs.hpp"
#include "tests/support/descriptors.hpp"

#include <bowhist/group/linkage.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

double squared_distance_of(const IntegerRows &rows, std::size_t a, std::size_t b) {
    const double norms = std::sqrt(double(product(rows.row(a), rows.row(a)))) *
                         std::sqrt(double(product(rows.row(b), rows.row(b))));
    return 2 - 2 * product(rows.row(a), rows.row(b)) / norms;
}

std::set<Group> by_definition(const IntegerRows &rows, std::size_t count) {
    return merged_pairs(rows.size(), count, [&](const Group &a, const Group &b) {
        double sum = 0;
        for (const std::size_t i : a)
            for (const std::size_t j : b) sum += squared_distance_of(rows, i, j);
        return sum / static_cast<double>(a.size() * b.size());
    });
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

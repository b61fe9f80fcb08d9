// A start that a device chooses: the host's, row by row.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/train/seeding.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

void check_start(const Descriptors &rows, std::size_t k, std::uint64_t seed) {
    Observer silent;
    const Vocabulary expected = start_centroids(RowsInMemory(rows), k, Start::greedy, seed, silent);
    std::vector<float> found;
    for (const std::size_t row :
         choose_on_device(*shared_device(), QuantizedRows(rows), k, seed, silent))
        found.insert(found.end(), rows.row(row).begin(), rows.row(row).end());
    INFO(rows.size() << " rows of " << rows.dimensions << " dimensions, k " << k);
    CHECK(found == expected.values);
}

} // namespace

TEST_CASE("train: a device chooses the start that the host chooses") {
    for (const std::size_t dimensions : {5, 64})
        for (const std::size_t n : {300, 5000})
            for (const std::size_t k : {1, 2, 60, 299})
                check_start(random_descriptors(n, dimensions, 3), k, n + k);
    check_start(random_descriptors(300'000, 3, 4), 9, 7); // several chunks a work-item
}

TEST_CASE("train: a device draws a row among many that are centroids already") {
    Descriptors rows{1, std::vector<float>(300'000, 0)};
    for (std::size_t row = 70'001; row < rows.size(); row += 70'001) rows.values[row] = 0.001F;
    rows.values.back() = 1;
    for (const std::uint64_t seed : {1, 2}) check_start(rows, 7, seed);
}

TEST_CASE("train: a device's start of more words than there are different descriptors") {
    check_start(repeated(random_descriptors(5, 8, 4), 1100), 30, 3);
    check_start({4, std::vector<float>(4 * 700, 0)}, 3, 3);
}

TEST_CASE("train: a device that has no local memory for so many dimensions chooses no start") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.local_bytes = 32768; });
    CHECK(can_choose(*device, 500));
    CHECK_FALSE(can_choose(*device, 1000));
}

TEST_CASE("train: a device's start, small", "[oclgrind][choose_rows.cl]") {
    check_start(random_descriptors(40, 3, 5), 4, 1);
}

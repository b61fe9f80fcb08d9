// Neighbors that a device finds against those of the host, which has a test of its own.
#include "tests/group/random_codes.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/device/kernel_source.hpp>
#include <bowhist/group/device_neighbors.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <tuple>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

bool equal(const Neighbors &a, const Neighbors &b) {
    return a.starts == b.starts && a.all == b.all && a.squared_norms == b.squared_norms;
}

bool same_as_host(const IntegerRows &rows, std::size_t most, Device &device = *shared_device(),
                  CodeProducts products = CodeProducts::plain) {
    Observer silent;
    return equal(device_neighbors(rows, most, silent, device, products),
                 nearest_neighbors(rows, most, silent));
}

/// A device with a file of its own in the place of one of cl/.
Device device_with(const TemporaryFolder &folder, const std::string &file,
                   const std::string &text) {
    std::ofstream(folder / file) << text;
    return Device({.kernel_dir = folder.path()});
}

std::string stand_in() {
    std::ifstream file(BOWHIST_SOURCE_FOLDER "/tests/group/portable_matrix/matrix_codes.cl");
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("device neighbors: they are the host's, for every number of rows and dimensions") {
    for (const std::size_t n : {0UL, 1UL, 2UL, 11UL, 64UL, 65UL, 257UL, 1500UL})
        for (const std::size_t dimensions : {1UL, 64UL, 65UL, 128UL}) {
            INFO(n << ' ' << dimensions);
            CHECK(same_as_host(random_codes(n, dimensions, 3, 127), 10));
        }
}

TEST_CASE("device neighbors: a few rows", "[oclgrind][codes_plain.cl][keep_nearest.cl]") {
    CHECK(same_as_host(random_codes(70, 65, 3, 127), 3));
}

TEST_CASE("device neighbors: near ties are parted, ties go to the lower index") {
    for (const std::size_t most : {1UL, 10UL, 16UL}) {
        CHECK(same_as_host(random_codes(900, 6, 1, 2), most));
        CHECK(same_as_host(random_codes(900, 3, 2, 127), most));
    }
}

TEST_CASE("device neighbors: rows that too many are alike are left to the host") {
    IntegerRows rows = random_codes(3000, 64, 5, 127);
    for (std::size_t i = 0; i < 40; ++i) // some rows are lost; most are not
        std::copy_n(rows.values.begin() + 64, 64,
                    rows.values.begin() + static_cast<std::ptrdiff_t>(64 * (70 * i)));
    CHECK(same_as_host(rows, 10));
    CHECK(same_as_host(IntegerRows{64, std::vector<std::int16_t>(64 * 2000, 3)}, 10)); // all are
}

TEST_CASE("device neighbors: rows of zeros have none and are none") {
    IntegerRows rows = random_codes(300, 4, 5, 9);
    for (const std::size_t row : {0UL, 7UL, 299UL})
        std::fill_n(rows.values.begin() + static_cast<std::ptrdiff_t>(row * 4), 4, std::int16_t{0});
    CHECK(same_as_host(rows, 10));
    CHECK(same_as_host({4, std::vector<std::int16_t>(40, 0)}, 10));
}

TEST_CASE("device neighbors: what a device finds is what neighbors_on finds, or the host does") {
    Observer silent;
    const FindNeighbors find = neighbors_on(shared_device());
    for (const int largest : {127, 30000 / 8}) { // the latter are no codes
        const IntegerRows rows = random_codes(500, 48, 4, largest);
        CHECK(equal(find(rows, 10, silent), nearest_neighbors(rows, 10, silent)));
        CHECK(neighbors_obstacle(*shared_device(), rows, 10).has_value() == (largest > 127));
    }
    CHECK(best_products(*shared_device(), 48).has_value());
}

TEST_CASE("device neighbors: the kernel of matrix units finds the same, with a stand-in for them") {
    const TemporaryFolder folder;
    Device device = device_with(folder, "matrix_codes.cl", stand_in());
    for (const std::size_t n : {2UL, 65UL, 257UL, 1500UL})
        CHECK(same_as_host(random_codes(n, 100, 3, 127), 10, device, CodeProducts::matrix));
    CHECK(same_as_host(random_codes(900, 6, 1, 2), 10, device, CodeProducts::matrix));
}

TEST_CASE("device neighbors: a few rows by the kernel of matrix units, with a stand-in for them",
          "[oclgrind][codes_matrix.cl]") {
    const TemporaryFolder folder;
    Device device = device_with(folder, "matrix_codes.cl", stand_in());
    CHECK(same_as_host(random_codes(130, 65, 3, 127), 3, device, CodeProducts::matrix));
}

TEST_CASE("device neighbors: a device that finds others is found out, and the host stands in") {
    const auto faults = {
        std::tuple("keep_nearest.cl", "numbers[a.x] < numbers[b.x]", "numbers[a.x] > numbers[b.x]"),
        std::tuple("keep_nearest.cl", "if (exceeds(right, left)) return p < 0;", ""),
        std::tuple("keep_nearest.cl", "- fabs(likeness)", "+ 999 * fabs(likeness)"),
        std::tuple("candidates.cl", "row == column ||", ""),
        std::tuple("codes_plain.cl", "sum + products.x", "sum"),
    };
    Observer silent;
    const IntegerRows rows = random_codes(300, 20, 4, 3);
    for (const auto &[file, from, to] : faults) {
        INFO(file << ": " << from);
        const TemporaryFolder folder;
        Device device =
            device_with(folder, file, replaced(std::string(embedded_kernels().at(file)), from, to));
        const auto best = best_products(device, 20);
        const bool spared = file == std::string("codes_plain.cl") && best == CodeProducts::matrix;
        CHECK((!best || spared)); // matrix units do without that file
    }
}

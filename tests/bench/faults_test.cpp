// Faults planted in the result of every way of every operation: bench finds each.
#include "bench/bench.hpp"
#include "bench/device_case.hpp"
#include "bench/device_output.hpp"
#include "tests/support/levels.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <numeric>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::size_t elements_of(const Output::Area &area) {
    return area.rows * area.columns;
}

/// What can go wrong with a result of this shape, and be seen.
std::vector<std::pair<std::string, Output::Area>> faults(const Output &output) {
    const auto [rows, width, rows_a_image] = output.shape();
    return {
        {"nothing written", output.everything()},
        {"first row wrong", {0, 1, 0, width}},
        {"a row wrong", {rows / 2 + rows / 7, 1, 0, width}},
        {"last row wrong", {rows - 1, 1, 0, width}},
        {"first column wrong", {0, rows, 0, 1}},
        {"a column wrong", {0, rows, width / 2 + width / 7, 1}},
        {"last column wrong", {0, rows, width - 1, 1}},
        {"last picture wrong", {rows - rows_a_image, rows_a_image, 0, width}},
        {"last element wrong", {rows - 1, 1, width - 1, 1}},
    };
}

} // namespace

TEST_CASE("bench finds what is planted in the result of any way", "[bench]") {
    Observer observer;
    BenchRequest request;
    for (const Operation &operation : operations()) {
        request.n = operation.id == "memory" ? 1024 : 192; // enough for images; three images
        const std::size_t k = operation.has_words() ? 5 : 0;
        for (const Case &row : operation.cases({request, shared_device(), observer, k})) {
            if (!row.run) continue;
            INFO(row.subject.operation << " " << row.subject.level);
            REQUIRE(row.output);
            row.run(); // assign's output is that of a round
            for (const auto &[fault, area] : faults(*row.output)) {
                INFO(fault);
                row.run();
                REQUIRE(row.check().mismatches == 0U);
                row.output->poison(area);
                CHECK(row.output->mismatches() >= elements_of(area));
            }
        }
    }
}

TEST_CASE("a way that leaves its output alone is not taken for the way before it", "[bench]") {
    const auto device = shared_device();
    const auto out = allocate_images<std::uint8_t>(*device, 7, 3, 1, 9);
    const auto right = std::make_shared<std::vector<std::uint8_t>>(21);
    std::iota(right->begin(), right->end(), std::uint8_t{240}); // 255 and 0 are among them
    const auto output = std::make_shared<DeviceOutput<std::uint8_t>>(device, out, right);
    std::vector<std::uint8_t> padded(27, 1);
    for (std::size_t i = 0; i < right->size(); ++i) padded[i / 7 * 9 + i % 7] = (*right)[i];
    const auto write = [&] { device->upload<std::uint8_t>(out.pixels, padded); };
    const Case sound = device_case({}, device, write, output);
    const Case idle = device_case(
        {}, device, [] {}, output);
    CHECK(sound.check().mismatches == 0U);
    CHECK(idle.check().mismatches == 21U);
    padded[2 * 9 + 6] ^= 1U;
    CHECK(sound.check().mismatches == 1U);
    padded[2 * 9 + 8] ^= 1U; // padding
    CHECK(sound.check().mismatches == 1U);
}

TEST_CASE("a run that is compared finds no memory that another left behind", "[bench]") {
    const auto device = shared_device();
    const auto out = allocate_images<float>(*device, 1000, 1);
    const auto right = std::make_shared<std::vector<float>>(1000, 7.0F);
    const auto output = std::make_shared<DeviceOutput<float>>(device, out, right);
    // Copies what lies in new memory: what another has just freed, often.
    const auto copy_from_new = [&](bool fill) {
        const auto between = device->allocate<float>(1000);
        if (fill) device->fill(between, 7.0F, 1000);
        std::vector<float> found(1000);
        device->download(std::span(found), between);
        device->upload<float>(out.pixels, found);
    };
    bool forgot = false;
    for (int i = 0; i < 5; ++i) copy_from_new(true);
    const Case row = device_case(
        {}, device, [&] { copy_from_new(false); }, output, [&] { forgot = true; });
    CHECK(row.check().mismatches == 1000U);
    CHECK(forgot);
}

TEST_CASE("results that are within a tolerance are right, and NaN never is", "[bench]") {
    const auto device = shared_device();
    const auto out = allocate_images<float>(*device, 4, 1);
    const auto right = std::make_shared<std::vector<float>>(std::vector<float>{100, -100, 0, 1});
    const auto wrong = [&](const std::vector<float> &found, Tolerance tolerance) {
        device->upload<float>(out.pixels, found);
        return DeviceOutput<float>(device, out, right, tolerance).mismatches();
    };
    CHECK(wrong({100, -100, 0, 1}, {}) == 0);
    CHECK(wrong({101, -101, 0, 1}, {}) == 2);
    CHECK(wrong({100, -100, -0.0F, 1}, {}) == 1); // other bits
    CHECK(wrong({100, -100, -0.0F, 1}, {0, 1e-9}) == 0);
    CHECK(wrong({101, -101, 0.5F, 1}, {0, 0.02}) == 1);
    CHECK(wrong({101, -101, 0.5F, 1}, {1, 0}) == 0);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(wrong({nan, infinity, nan, -infinity}, {1e9, 1e9}) == 4);
}

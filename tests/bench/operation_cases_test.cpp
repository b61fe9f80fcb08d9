#include "bench/bench.hpp"
#include "bench/cases/cases.hpp"
#include "bench/device_case.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/assign/device/tile_screen.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

BenchRequest rows(std::size_t n) {
    BenchRequest request;
    request.n = n;
    return request;
}

/// The rows of an operation.
std::vector<Case> cases_of(std::string_view operation, const std::shared_ptr<Device> &device,
                           const BenchRequest &request) {
    static Observer observer;
    return find_operation(operation).cases({request, device, observer});
}

/// Runs each case once, and compares all of its output.
void check_all(const std::vector<Case> &cases) {
    int ran = 0;
    for (const Case &row : cases) {
        INFO(row.subject.operation << " " << row.subject.level << ", n = " << row.subject.n);
        if (!row.obstacle.empty()) continue;
        ++ran;
        CHECK(row.work.bytes_read > 0);
        CHECK(row.run().seconds > 0);
        CHECK(row.check().mismatches == 0);
    }
    CHECK(ran > 0);
}

} // namespace

TEST_CASE("bench: every way of reading memory reads all of it", "[memory]") {
    for (const std::size_t n : {64, 1000, 4096})
        check_all(cases_of("memory", shared_device(), rows(n)));
}

TEST_CASE("bench: all work-items may read one place", "[memory]") {
    std::set<std::string> of_one_place;
    for (const Case &row : cases_of("memory", shared_device(), rows(4096))) {
        if (!row.obstacle.empty()) continue;
        const auto sums = std::dynamic_pointer_cast<DeviceOutput<float>>(row.output)->expected();
        if (std::ranges::all_of(sums, [&](float sum) { return sum == sums.front(); }))
            of_one_place.insert(row.subject.level);
    }
    CHECK(of_one_place == std::set<std::string>{"same", "local0", "constant0"});
}

TEST_CASE("bench: the floats that are read fit what counts them", "[memory]") {
    constexpr std::uint64_t plenty = std::uint64_t{1} << 40;
    for (const std::size_t requested : {1UL, 5000UL, 1UL << 26, 1UL << 30, 1UL << 32, 1UL << 38}) {
        const std::size_t floats = memory_floats(requested, plenty);
        INFO(requested << " requested, " << floats << " read");
        CHECK(floats >= 4096);
        CHECK((floats & (floats - 1)) == 0);
        CHECK(floats <= std::max<std::size_t>(requested, 4096));
        CHECK(floats <= std::size_t{4} * 4096 * 8192); // texels of an image that any device allows
        CHECK(static_cast<std::uint32_t>(floats) == floats);
        CHECK(floats / (1 << 10) * 15 < 1 << 24); // a CPU's work-item's sum, exact in float32
    }
    CHECK(memory_floats(1UL << 26, plenty) == 1UL << 26);
    CHECK(memory_floats(1UL << 26, 1 << 20) == 1 << 17); // two buffers of half of it
}

TEST_CASE("bench: memory and convolutions on a device with little of everything",
          "[memory][convolve]") {
    const auto small = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 1024;
        limits.allocation_bytes = 1 << 20;
    });
    for (const auto *operation : {"memory", "convolve-5x5", "convolve-9x9", "separable"})
        check_all(cases_of(operation, small, rows(70)));
}

TEST_CASE("bench: transposes and blurs come out right", "[transpose][gaussian]") {
    for (const std::size_t n : {1, 4, 65})
        check_all(cases_of("transpose", shared_device(), rows(n)));
    for (const auto *operation :
         {"transpose-float", "transpose-byte", "gaussian", "gaussian-columns"})
        check_all(cases_of(operation, shared_device(), rows(1)));
}

TEST_CASE("bench: plain C++ scans and counts right on any number of threads",
          "[scan][histogram256]") {
    BenchRequest request = rows(192); // three images of bytes
    for (const auto &[device, threads] :
         {std::pair{shared_device(), 0}, {shared_device(), 5}, {std::shared_ptr<Device>(), 1}})
        for (const std::string operation : {"scan-vector", "histogram256"}) {
            request.threads = threads;
            std::vector<std::string> levels;
            for (const Case &row : cases_of(operation, device, request)) {
                if (row.subject.place != Place::host) continue;
                levels.push_back(row.subject.level);
                INFO(levels.back() << ", " << row.subject.device);
                CHECK(row.run().seconds > 0);
                CHECK(row.check().mismatches == 0);
            }
            std::vector<std::string> expected{"host-serial", "host-threads"};
            if (operation == "histogram256")
                expected.insert(expected.end(), {"host-serial+flat", "host-threads+flat"});
            CHECK(levels == expected);
        }
}

TEST_CASE("bench: pictures have the side asked for", "[bench]") {
    BenchRequest request = rows(70);
    for (const std::size_t side : {37, 100}) {
        request.side = side;
        for (const Operation &operation : operations()) {
            if (!operation.has_images()) continue;
            for (const Case &row : cases_of(operation.id, shared_device(), request)) {
                INFO(operation.id << " " << row.subject.level << ", " << side);
                CHECK(row.subject.n % side == 0);
                if (!row.obstacle.empty()) continue;
                row.run();
                CHECK(row.check().mismatches == 0);
            }
        }
    }
}

TEST_CASE("bench: tiles have the sides asked for, and what is counted follows", "[convolve]") {
    BenchRequest request = rows(70);
    request.tiles = {16, 20, 1000};
    std::map<std::string, Case> by_level;
    for (const Case &row : cases_of("convolve-5x5", shared_device(), request))
        by_level[row.subject.level] = row;
    for (const std::string level : {"tiled_input16", "tiled_input20", "cached16", "cached20"}) {
        INFO(level);
        by_level.at(level).run();
        CHECK(by_level.at(level).check().mismatches == 0);
    }
    CHECK(by_level.at("tiled_input16").work.predicted_operations_per_byte ==
          Approx(7.03).margin(0.005));
    CHECK(*by_level.at("tiled_input20").work.kernel_bytes <
          *by_level.at("tiled_input16").work.kernel_bytes);
    CHECK_THAT(by_level.at("cached1000").obstacle, Catch::Contains("1000x1000"));
    CHECK(by_level.count("tiled_input") == 0);
    CHECK(by_level.count("sliding") == 1);
}

TEST_CASE("bench: the textbook's operations a byte are those of the tile that runs", "[convolve]") {
    const auto small = limited_device([](DeviceLimits &limits) { limits.work_group_size = 256; });
    for (const auto &[device, expected] :
         {std::pair{shared_device(), 9.57}, {small, 7.03}}) // tiles of 32×32 and 16×16
        for (const Case &row : cases_of("convolve-5x5", device, rows(70))) {
            const auto predicted = row.work.predicted_operations_per_byte;
            if (row.subject.level == "tiled_input")
                CHECK(*predicted == Approx(expected).margin(0.005));
            if (row.subject.level == "basic") CHECK(predicted == 0.25);
            if (row.subject.level == "sliding") CHECK_FALSE(predicted);
        }
}

TEST_CASE("bench: each shape of gpu6 that suits the device finds the rule's words", "[bench]") {
    Observer observer;
    const BenchRequest request = rows(300);
    const auto cases =
        find_operation("gpu6-shapes").cases({request, shared_device(), observer, 70});
    CHECK(cases.size() == tile_shapes().size());
    check_all(cases);
}

TEST_CASE("bench: without a device a row of it gives the reason", "[bench]") {
    Observer observer;
    const BenchRequest request = rows(64);
    for (const Operation &operation : operations()) {
        INFO(operation.id);
        bool says_so = false;
        for (const Case &row : operation.cases({request, nullptr, observer, 3})) {
            CHECK(row.obstacle.empty() == (row.subject.place == Place::host));
            says_so = says_so || row.obstacle == no_device;
        }
        CHECK(says_so);
    }
}

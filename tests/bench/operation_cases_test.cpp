#include "bench/cases/cases.hpp"
#include "bench/device_output.hpp"
#include "bench/operation.hpp"
#include "tests/support/levels.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Runs each case once, and its own check of what came out.
void check_all(std::vector<Case> (*make)(const Scene &, std::size_t),
               const std::shared_ptr<Device> &device, std::size_t n) {
    Observer observer;
    BenchRequest request;
    request.n = n;
    const Scene scene{request, device, observer};
    int ran = 0;
    for (const Case &row : make(scene, 0)) {
        INFO(row.subject.operation << " " << row.subject.level << ", n = " << n);
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
    for (const std::size_t n : {64, 1000, 4096}) check_all(memory_cases, shared_device(), n);
}

TEST_CASE("bench: all work-items may read one place", "[memory]") {
    Observer observer;
    BenchRequest request;
    request.n = 4096;
    const Scene scene{request, shared_device(), observer};
    std::set<std::string> of_one_place;
    for (const Case &row : memory_cases(scene, 0)) {
        if (!row.obstacle.empty()) continue;
        const auto sums = std::dynamic_pointer_cast<DeviceOutput<float>>(row.output)->expected();
        const bool alike =
            std::ranges::all_of(sums, [&](float sum) { return sum == sums.front(); });
        if (alike) of_one_place.insert(row.subject.level);
    }
    CHECK(of_one_place == std::set<std::string>{"same", "local0", "constant0"});
}

TEST_CASE("bench: the floats that are read fit what counts them", "[memory]") {
    constexpr std::uint64_t plenty = std::uint64_t{1} << 40;
    for (const std::size_t asked : {1UL, 5000UL, 1UL << 26, 1UL << 30, 1UL << 32, 1UL << 38}) {
        const std::size_t floats = memory_floats(asked, plenty);
        INFO(asked << " asked for, " << floats << " read");
        CHECK(floats >= 4096);
        CHECK((floats & (floats - 1)) == 0);
        CHECK(floats <= std::max<std::size_t>(asked, 4096));
        CHECK(floats <= std::size_t{4} * 4096 * 8192); // texels of an image that any device allows
        CHECK(static_cast<std::uint32_t>(floats) == floats);
        CHECK(floats / (1 << 10) * 15 < 1 << 24); // a CPU's work-item's sum, exact in float32
    }
    CHECK(memory_floats(1UL << 26, plenty) == 1UL << 26);
    CHECK(memory_floats(1UL << 26, 1 << 20) == 1 << 17); // two buffers of half of it
}

TEST_CASE("bench: memory on a device with little of everything", "[memory]") {
    const auto small = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 1024;
        limits.allocation_bytes = 1 << 20;
    });
    check_all(memory_cases, small, 64);
}

TEST_CASE("bench: transposes and blurs come out right", "[transpose][gaussian]") {
    for (const std::size_t n : {1, 4, 65}) check_all(transpose_cases, shared_device(), n);
    check_all(turn_float_cases, shared_device(), 1);
    check_all(turn_byte_cases, shared_device(), 1);
    check_all(gaussian_cases, shared_device(), 1);
    check_all(gaussian_column_cases, shared_device(), 1);
}

TEST_CASE("bench: plain C++ scans and counts right on any number of threads",
          "[scan][histogram256]") {
    Observer observer;
    BenchRequest request;
    request.n = 192; // three pictures of bytes
    for (const auto &[device, threads] :
         {std::pair{shared_device(), 0}, {shared_device(), 5}, {std::shared_ptr<Device>(), 1}})
        for (const auto make : {scan_vector_cases, histogram256_cases}) {
            request.threads = threads;
            std::vector<std::string> levels;
            for (const Case &row : make(Scene{request, device, observer}, 0)) {
                if (row.subject.place != Place::host) continue;
                levels.push_back(row.subject.level);
                INFO(levels.back() << ", " << row.subject.device);
                CHECK(row.run().seconds > 0);
                CHECK(row.check().mismatches == 0);
            }
            std::vector<std::string> expected{"host-serial", "host-threads"};
            if (make == histogram256_cases)
                expected.insert(expected.end(), {"host-serial+flat", "host-threads+flat"});
            CHECK(levels == expected);
        }
}

TEST_CASE("bench: pictures have the side asked for", "[bench]") {
    Observer observer;
    BenchRequest request;
    request.n = 70;
    for (const std::size_t side : {37, 100}) {
        request.side = side;
        const Scene scene{request, shared_device(), observer};
        for (const Operation &operation : operations()) {
            if (!operation.has_pictures()) continue;
            for (const Case &row : operation.cases(scene, 0)) {
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
    Observer observer;
    BenchRequest request;
    request.n = 70;
    request.tiles = {16, 20, 1000};
    const Scene scene{request, shared_device(), observer};
    std::map<std::string, Case> rows;
    for (const Case &row : convolve_5x5_cases(scene, 0)) rows[row.subject.level] = row;
    for (const std::string level : {"tiled_input16", "tiled_input20", "cached16", "cached20"}) {
        INFO(level);
        rows.at(level).run();
        CHECK(rows.at(level).check().mismatches == 0);
    }
    CHECK(rows.at("tiled_input16").work.predicted_operations_per_byte ==
          Approx(7.03).margin(0.005));
    CHECK(*rows.at("tiled_input20").work.kernel_bytes <
          *rows.at("tiled_input16").work.kernel_bytes);
    CHECK_THAT(rows.at("cached1000").obstacle, Catch::Contains("1000x1000"));
    CHECK(rows.count("tiled_input") == 0);
    CHECK(rows.count("sliding") == 1);
}

TEST_CASE("bench: convolutions on a device with little of everything", "[convolve]") {
    const auto small = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 1024;
    });
    for (const auto make : {convolve_5x5_cases, convolve_9x9_cases, convolve_separable_cases})
        check_all(make, small, 70);
}

TEST_CASE("bench: the textbook's operations a byte are those of the tile that runs", "[convolve]") {
    const auto small = limited_device([](DeviceLimits &limits) { limits.work_group_size = 256; });
    Observer observer;
    BenchRequest request;
    request.n = 70;
    for (const auto &[device, expected] :
         {std::pair{shared_device(), 9.57}, {small, 7.03}}) { // tiles of 32×32 and 16×16
        const Scene scene{request, device, observer};
        for (const Case &row : convolve_5x5_cases(scene, 0)) {
            const auto predicted = row.work.predicted_operations_per_byte;
            if (row.subject.level == "tiled_input")
                CHECK(*predicted == Approx(expected).margin(0.005));
            if (row.subject.level == "basic") CHECK(predicted == 0.25);
            if (row.subject.level == "sliding") CHECK_FALSE(predicted);
        }
    }
}

TEST_CASE("bench: without a device there are no rows but the reason", "[memory]") {
    Observer observer;
    const BenchRequest request;
    const Scene scene{request, nullptr, observer};
    for (const auto make : {memory_cases, gaussian_cases, gaussian_column_cases, turn_float_cases,
                            scan_row_cases, scan_vector_cases, compact_cases, histogram256_cases,
                            integral_cases, equalise_cases, convolve_5x5_cases, convolve_9x9_cases,
                            convolve_separable_cases, dense_cases, surf_cases})
        for (const Case &row : make(scene, 0))
            CHECK(row.obstacle.empty() == (row.subject.place == Place::host));
}

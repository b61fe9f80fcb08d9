#include "tests/support/levels.hpp"

#include <bowhist/bench/byte_cases.hpp>
#include <bowhist/bench/convolve_cases.hpp>
#include <bowhist/bench/gaussian_cases.hpp>
#include <bowhist/bench/memory_cases.hpp>
#include <bowhist/bench/scan_cases.hpp>
#include <bowhist/bench/transpose_cases.hpp>
#include <bowhist/bench/turn_cases.hpp>

#include <catch2/catch.hpp>

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

TEST_CASE("bench: scans, histograms and what is made of them come out right",
          "[scan][histogram256]") {
    for (const auto make : {scan_row_cases, scan_vector_cases, compact_cases, integral_cases,
                            histogram256_cases, equalise_cases})
        check_all(make, shared_device(), 70);
}

TEST_CASE("bench: convolutions come out right", "[convolve]") {
    for (const auto make : {convolve_5x5_cases, convolve_9x9_cases, convolve_separable_cases})
        check_all(make, shared_device(), 70);
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
                            scan_row_cases, histogram256_cases, integral_cases, equalise_cases,
                            convolve_5x5_cases, convolve_9x9_cases, convolve_separable_cases})
        for (const Case &row : make(scene, 0)) CHECK_FALSE(row.obstacle.empty());
}

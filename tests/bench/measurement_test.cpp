#include <bowhist/bench/measurement.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;

namespace {

Measurement peak(Roof roof, Place place, const Work &work, double seconds) {
    Measurement measurement{{"peak", name_of(roof), place}, work, Figures{}};
    measurement.figures->seconds = {seconds, seconds, seconds};
    return measurement;
}

} // namespace

TEST_CASE("a spread is the range and the middle", "[bench]") {
    const Spread odd = spread_of({3, 1, 9, 2, 5});
    CHECK(odd.least == 1);
    CHECK(odd.median == 3);
    CHECK(odd.most == 9);
    CHECK(spread_of({4, 1, 2, 10}).median == 3);
    CHECK(spread_of({7}).median == 7);
}

TEST_CASE("rates are amounts by seconds", "[bench]") {
    Work work;
    work.bytes_read = 3e9;
    work.bytes_written = 1e9;
    work.operations = 8e12;
    CHECK(gigabytes_per_second(work, 2) == Approx(2));
    CHECK(teraflops(work, 2) == Approx(4));
    CHECK(operations_per_byte(work) == Approx(2000));
}

TEST_CASE("the roof that binds is the one that takes longest", "[bench]") {
    Peaks peaks;
    peaks.fma_operations_per_second = 100;
    peaks.copy_bytes_per_second = 10;
    peaks.matrix_operations_per_second = 1000;
    Work work;
    work.operations = 500; // 5 s of multiply-adds, half a second of matrix units
    work.bytes_read = 15;
    work.bytes_written = 5; // 2 s of copying

    const auto vector_units = share_of_roof(work, 10, peaks, false);
    REQUIRE(vector_units);
    CHECK(vector_units->roof == Roof::fma);
    CHECK(vector_units->fraction == Approx(0.5));

    const auto matrix_units = share_of_roof(work, 10, peaks, true);
    REQUIRE(matrix_units);
    CHECK(matrix_units->roof == Roof::copy);
    CHECK(matrix_units->fraction == Approx(0.2));

    peaks.matrix_operations_per_second.reset();
    CHECK(share_of_roof(work, 10, peaks, true)->roof == Roof::fma);
    peaks.copy_bytes_per_second.reset();
    work.operations = 0;
    CHECK_FALSE(share_of_roof(work, 10, peaks, false));
}

TEST_CASE("peaks are those of the place", "[bench]") {
    Work sums;
    sums.operations = 60;
    Work copies;
    copies.bytes_read = 20;
    copies.bytes_written = 20;
    std::vector<Measurement> measurements = {
        peak(Roof::fma, Place::host, sums, 2), peak(Roof::fma, Place::device, sums, 1),
        peak(Roof::copy, Place::device, copies, 4), peak(Roof::matrix, Place::device, sums, 0.5)};
    measurements.push_back({{"peak", "copy", Place::host}, copies, {}, "not here"});
    CHECK(peaks_of(measurements, Place::host).fma_operations_per_second == 30.0);
    CHECK_FALSE(peaks_of(measurements, Place::host).copy_bytes_per_second);
    CHECK_FALSE(peaks_of(measurements, Place::host).matrix_operations_per_second);
    CHECK(peaks_of(measurements, Place::device).fma_operations_per_second == 60.0);
    CHECK(peaks_of(measurements, Place::device).copy_bytes_per_second == 10.0);
    CHECK(peaks_of(measurements, Place::device).matrix_operations_per_second == 120.0);
}

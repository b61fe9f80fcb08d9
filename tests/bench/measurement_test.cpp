// What bench counts, and what it holds results to, by other ways.
#include "bench/cases/filtered.hpp"
#include "bench/cases/memory_walk.hpp"
#include "bench/measurement.hpp"
#include "bench/report/bench_text.hpp"
#include "tests/support/convolve_reference.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

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
    CHECK(work.gigabytes_per_second(2) == Approx(2));
    CHECK(work.teraflops(2) == Approx(4));
    CHECK(work.operations_per_byte() == Approx(2000));
}

TEST_CASE("the roof that binds is the one that takes longest", "[bench]") {
    Peaks peaks = {
        {Roof::fma, {90, 100, 120}}, {Roof::copy, {10, 10, 10}}, {Roof::matrix, {900, 1000, 1001}}};
    Work work;
    work.operations = 500; // 5 s of multiply-adds, half a second of matrix units
    work.bytes_read = 15;
    work.bytes_written = 5; // 2 s of copying

    const auto vector_units = share_of_roof(work, 10, peaks, false);
    REQUIRE(vector_units);
    CHECK(vector_units->roof == Roof::fma);
    CHECK(vector_units->fraction == Approx(0.5));
    CHECK(vector_units->per_second.least == 90);
    CHECK(vector_units->per_second.most == 120);

    const auto matrix_units = share_of_roof(work, 10, peaks, true);
    REQUIRE(matrix_units);
    CHECK(matrix_units->roof == Roof::copy);
    CHECK(matrix_units->fraction == Approx(0.2));

    peaks.erase(Roof::matrix);
    CHECK(share_of_roof(work, 10, peaks, true)->roof == Roof::fma);
    peaks.erase(Roof::copy);
    work.operations = 0;
    CHECK_FALSE(share_of_roof(work, 10, peaks, false));
}

TEST_CASE("pixels a second are predicted by what the kernels move", "[bench]") {
    Peaks peaks;
    Work work;
    work.pixels = 1000;
    work.kernel_bytes = 14 * 4 * 1000; // two column passes and two transposes
    CHECK_FALSE(predicted_pixels(work, peaks));
    peaks[Roof::copy] = {50e9, 56e9, 57e9};
    CHECK(predicted_pixels(work, peaks) == Approx(1e9));
    work.pixels = 0;
    CHECK_FALSE(predicted_pixels(work, peaks));
}

TEST_CASE("as many groups are resident as memory and work-items allow", "[bench]") {
    // The textbook's: four groups of 16 KiB in 64 KiB.
    CHECK(resident_groups(64, 16384, 1024, 65536) == 4);
    CHECK(resident_groups(512, 16384, 1024, 65536) == 2);
    CHECK(resident_groups(64, 0, 1024, 65536) == 16);
    CHECK(resident_groups(64, 65537, 1024, 65536) == 0);
    CHECK(resident_groups(2048, 0, 1024, 65536) == 0);
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
    CHECK(peaks_of(measurements, Place::host).at(Roof::fma).median == 30.0);
    CHECK_FALSE(peaks_of(measurements, Place::host).contains(Roof::copy));
    CHECK_FALSE(peaks_of(measurements, Place::host).contains(Roof::matrix));
    CHECK(peaks_of(measurements, Place::device).at(Roof::fma).median == 60.0);
    CHECK(peaks_of(measurements, Place::device).at(Roof::copy).median == 10.0);
    CHECK(peaks_of(measurements, Place::device).at(Roof::matrix).median == 120.0);
}

TEST_CASE("a peak's range is that of its rounds", "[bench]") {
    Work copies;
    copies.bytes_read = 30;
    copies.bytes_written = 30;
    Measurement measurement = peak(Roof::copy, Place::host, copies, 2);
    measurement.figures->seconds = {1, 2, 3};
    const Spread rate = peaks_of({measurement}, Place::host).at(Roof::copy);
    CHECK(rate.least == 20);
    CHECK(rate.median == 30);
    CHECK(rate.most == 60);
    CHECK(peak_text(measurement) == "copy 30 B/s (20 … 60)");
}

TEST_CASE("a share above 1 has a reason, and it is the nearest one", "[bench]") {
    Work work;
    work.bytes_read = 3000;
    work.bytes_written = 1000;
    RoofShare share{Roof::copy, 1.1, {8, 10, 12}};
    const auto why = [&](std::string_view own, std::uint64_t cache) {
        return why_above(share, work, own, cache);
    };
    CHECK_THAT(why("", 1 << 20), Catch::Contains("within the range"));
    share.fraction = 1.3;
    CHECK_THAT(why("", 4000), Catch::Contains("4 kB, fits a cache of 4 kB"));
    CHECK_THAT(why("", 3999), Catch::Contains("reads more than it writes"));
    work.bytes_written = 3000;
    CHECK_THAT(why("", 3999), Catch::Contains("a part of its 6 kB"));
    CHECK(why("local memory", 4000) == "local memory"); // no operations: it is about loads
    work.operations = 1;
    CHECK_THAT(why("16 bits", 3999), Catch::Contains("a part of its"));
    share.roof = Roof::fma;
    CHECK(why("16 bits", 4000) == "16 bits");
    CHECK_THAT(why("", 4000), Catch::Contains("clock"));
}

TEST_CASE("levels above their roof stand together with the reason", "[bench]") {
    Measurement row{{"op", "a"}, {}, Figures{}};
    row.figures->roof = RoofShare{Roof::fma, 1.5, {}, "it cheats"};
    Measurement other = row;
    other.subject.level = "b";
    Measurement below = row;
    below.figures->roof = RoofShare{Roof::fma, 0.5};
    CHECK(lines_above({row, below, other}) ==
          std::vector<std::string>{"above 100 %: a, b: it cheats"});
    CHECK(lines_above({below}).empty());
}

TEST_CASE("bench: the reference of convolutions is the definition", "[convolve]") {
    std::mt19937 engine(5);
    std::uniform_real_distribution<float> uniform(-1, 1);
    constexpr std::size_t side = 9;
    std::vector<float> pixels(3 * side * side);
    for (float &pixel : pixels) pixel = uniform(engine);
    for (const auto &[width, height] : {std::pair{1UL, 1UL}, {5UL, 3UL}, {1UL, 31UL}, {31UL, 1UL}})
        for (const Border border : {Border::reflect, Border::replicate}) {
            Filter filter{width, height, std::vector<float>(width * height)};
            for (float &weight : filter.weights) weight = uniform(engine);
            const Reference expected = convolved(pixels, {side, side, 3}, filter, border);
            const std::vector<float> found = filtered(pixels, side, filter, border);
            REQUIRE(found.size() == pixels.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                CHECK(std::abs(found[i] - expected.values[i]) <= 1e-7 * expected.magnitudes[i]);
        }
}

TEST_CASE("bench: every walk through memory reaches each place once", "[memory]") {
    for (const std::uint32_t size : {4U, 64U, 4096U})
        for (const MemoryWalk walk :
             {MemoryWalk::contiguous, MemoryWalk::strided, MemoryWalk::scattered})
            for (const std::uint32_t stride : {1U, 2U, 64U}) {
                if (stride > size) continue;
                std::set<std::uint32_t> places;
                for (std::uint32_t t = 0; t < size; ++t)
                    places.insert(place(walk, t, size, stride));
                CHECK(places.size() == size);
                CHECK(*places.rbegin() == size - 1);
            }
}

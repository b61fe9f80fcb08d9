// What of gpu7 runs on any device: the packed centroids, the contest and the counting.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/matrix_centroids.hpp>
#include <bowhist/assign/device/matrix_screen.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("matrix: packed centroids hold every value once, and zeros") {
    for (const std::size_t dimensions : {4, 60, 64, 128})
        for (const std::size_t k : {1, 31, 64, 65}) {
            Vocabulary vocabulary{dimensions, std::vector<float>(k * dimensions)};
            // Distinct small integers, which fp16 holds exactly under any power of two.
            std::iota(vocabulary.values.begin(), vocabulary.values.end(), 1.0F);
            for (float &value : vocabulary.values) value = std::fmod(value, 2039.0F);
            const MatrixCentroids packed(vocabulary);
            std::vector<float> there;
            for (const cl_half half : packed.fragments) {
                const float value = cl_half_to_float(half) / packed.scale;
                if (value != 0) there.push_back(value);
            }
            std::vector<float> expected;
            std::ranges::copy_if(vocabulary.values, std::back_inserter(expected),
                                 [](float value) { return value != 0; });
            std::ranges::sort(there);
            std::ranges::sort(expected);
            CHECK(there == expected);
            CHECK(packed.blocks % MATRIX_CHUNK == 0);
            CHECK(packed.blocks * MATRIX_BLOCK >= k);
            CHECK(packed.residual < 1e-30F);
        }
}

TEST_CASE("matrix: the bounds on packed centroids hold, at any scale") {
    for (const float scale : {1e-44F, 1e-30F, 1e-3F, 1.0F, 1e5F, 1e30F, 7e37F}) {
        const Vocabulary vocabulary = random_vocabulary(50, 64, 1, scale);
        const MatrixCentroids packed(vocabulary);
        const WgmmaCentroids swizzled(vocabulary, packed);
        double farthest = 0; // of a rounded centroid from its own
        for (std::size_t j = 0; j < vocabulary.size(); ++j) {
            double square = 0;
            double lost = 0;
            for (const float value : vocabulary.row(j)) {
                const double exact = double{value} * double{packed.scale};
                const cl_half half = cl_half_from_float(value * packed.scale, CL_HALF_RTE);
                square += exact * exact;
                lost += std::pow(exact - double{cl_half_to_float(half)}, 2);
            }
            farthest = std::max(farthest, std::sqrt(lost));
            CHECK(square / 2 <= packed.half_square);
            CHECK(std::abs(packed.starts[j] + square / 2) <= square * std::ldexp(1.0, -24));
            CHECK(std::sqrt(square) <= packed.norm + packed.residual);
        }
        CHECK(farthest <= packed.residual);
        CHECK(packed.residual <= 1.001 * farthest + 1e-30);
        for (const cl_half half : swizzled.lasts) CHECK(std::isfinite(cl_half_to_float(half)));
    }
}

TEST_CASE("matrix: tiles for wgmma hold every value once, and each score's start") {
    for (const auto &[k, dimensions] : {std::pair<std::size_t, std::size_t>{1, 64},
                                        {63, 64},
                                        {64, 64},
                                        {65, 64},
                                        {65, 128},
                                        {64, 100}}) {
        const Vocabulary vocabulary = random_vocabulary(k, dimensions, 3);
        const MatrixCentroids packed(vocabulary);
        const WgmmaCentroids swizzled(vocabulary, packed);
        std::multiset<cl_half> there;
        std::multiset<cl_half> expected;
        for (const cl_half half : swizzled.values)
            if (half != 0) there.insert(half);
        for (const float value : vocabulary.values)
            expected.insert(cl_half_from_float(value * packed.scale, CL_HALF_RTE));
        CHECK(there == expected);
        // M, less half the square: 256, 1, 1 and 1 times what the last step holds. Every score
        // starts between the lowest and its double; centroids that are not there start at the
        // lowest.
        std::size_t real = 0;
        for (std::size_t row = 0; row < swizzled.tiles * WGMMA_TILE; ++row) {
            double start = 0;
            for (std::size_t i = 0; i < 16; ++i)
                start +=
                    (i % 8 == 0 ? 256 : 1) * double{cl_half_to_float(swizzled.lasts[row * 16 + i])};
            if (start == swizzled.lowest) continue;
            ++real;
            CHECK(start > 1.01 * swizzled.lowest);
            CHECK(start < 1.5 * swizzled.lowest);
            CHECK(std::ranges::any_of(std::span(packed.starts).first(k), [&](float score_start) {
                return std::abs(1.5 * swizzled.lowest + score_start - start) < 1e-3;
            }));
        }
        CHECK(real == k);
    }
}

TEST_CASE("matrix: a contest is decided by the rule", "[oclgrind][contest.cl]") {
    if (lacks_fp64()) return;
    constexpr std::size_t dimensions = 36;
    const Vocabulary vocabulary = random_vocabulary(40, dimensions, 1);
    Descriptors rows = nearly_tied(vocabulary, 70, 2);
    // Entries of two to sixteen contenders, in groups that come in either order.
    std::vector<cl_uint> contested = {70, 0, 0, 0};
    std::vector<cl_int> expected;
    for (cl_uint row = 0; row < 70; ++row) {
        const cl_uint first = row % 5;
        const cl_uint second = (row + 1 + row % 3) % 5;
        const cl_uint mask = 0x0101U << (row % 8) | (row % 4 == 0 ? 0xffffU : 0U);
        contested.insert(contested.end(), {row, first, second, mask});
        std::vector<std::pair<double, cl_int>> contenders;
        for (cl_uint bit = 0; bit < 16; ++bit)
            if ((mask >> bit & 1) != 0) {
                const cl_uint j = 8 * (bit < 8 ? first : second) + bit % 8;
                contenders.emplace_back(squared_distance(rows.row(row), vocabulary.row(j)), j);
            }
        expected.push_back(std::ranges::min(contenders).second);
    }
    Device &device = *shared_device();
    const auto words = device.allocate<cl_int>(70);
    Kernel kernel = device.kernel("contest.cl", "contest", "-DDIMENSIONS=36 -DSHARE=1");
    const Bound bound = float32_bound(dimensions);
    device.launch(kernel, {256, 1}, {128, 1}, uploaded(device, rows.values),
                  uploaded(device, vocabulary.values), bound.relative, bound.absolute, words,
                  uploaded(device, contested));
    CHECK(downloaded(device, words) == expected);
}

TEST_CASE("matrix: words are counted for their own bag", "[oclgrind][count.cl]") {
    Device &device = *shared_device();
    for (const cl_uint k : {3U, 9U})     // fits into eight local counters, or does not
        for (const auto &[bags, order] : // rows of an bag together, or taking turns
             {std::pair{1U, 0}, {2U, 0}, {50U, 0}, {3U, 1}}) {
            constexpr cl_uint n = 1100;
            std::vector<cl_int> words(n);
            std::vector<cl_uint> bag(n);
            std::vector<cl_uint> expected(bags * k);
            for (cl_uint row = 0; row < n; ++row) {
                words[row] = row % 7 == 0 ? -1 : static_cast<cl_int>(row % k);
                bag[row] = order == 0 ? row * bags / n : row % bags;
                if (words[row] >= 0) ++expected[bag[row] * k + row % k];
            }
            const auto histograms = device.allocate<cl_uint>(expected.size());
            device.fill<cl_uint>(histograms, 0, expected.size());
            const auto settled = uploaded<cl_uint>(device, {100});
            Kernel kernel = device.kernel("count.cl", "count", "-DLOCAL_WORDS=8 -DROWS=512");
            device.launch(kernel, {3 * 512, 1}, {512, 1}, uploaded(device, words),
                          uploaded(device, bag), uploaded<cl_uint>(device, {n}), k, histograms,
                          uploaded<cl_uint>(device, {40, 0, 0, 0}),
                          uploaded<cl_uint>(device, {30, 2}), settled);
            INFO("k " << k << ", bags " << bags << ", order " << order);
            CHECK(downloaded(device, histograms) == expected);
            CHECK(downloaded(device, settled)[0] == 100 + 40 + 30 - 2);
        }
}

TEST_CASE("matrix: what gpu7 cannot take is said, with the reason") {
    DeviceInfo info;
    info.name = "a GPU";
    info.compute_capability = 80;
    const DeviceLimits plenty{.local_bytes = 49152, .work_group_size = 1024, .fp64 = true};
    const auto obstacle = [&](auto change, std::size_t dimensions, std::size_t k) {
        DeviceLimits limits = plenty;
        change(limits);
        return matrix_obstacle(info, limits, dimensions, k).value_or("none");
    };
    const auto nothing = [](DeviceLimits &) {};
    CHECK(obstacle(nothing, 128, 65536) == "none");
    CHECK_THAT(obstacle(nothing, 61, 10), Catch::Contains("multiples of 4"));
    CHECK_THAT(obstacle(nothing, 132, 10), Catch::Contains("128"));
    CHECK_THAT(obstacle(nothing, 64, 65537), Catch::Contains("65536 words"));
    CHECK_THAT(obstacle([](DeviceLimits &limits) { limits.fp64 = false; }, 64, 10),
               Catch::Contains("fp64"));
    CHECK_THAT(obstacle([](DeviceLimits &limits) { limits.work_group_size = 511; }, 64, 10),
               Catch::Contains("512 work-items") && Catch::Contains("a GPU allows 511"));
    CHECK_THAT(obstacle([](DeviceLimits &limits) { limits.local_bytes = 32768; }, 64, 10),
               Catch::Contains("local memory") && Catch::Contains("32768"));
    info.compute_capability = 90;
    CHECK(obstacle(nothing, 128, std::size_t{1} << 20) == "none");
    CHECK_THAT(obstacle(nothing, 64, (std::size_t{1} << 20) + 1), Catch::Contains("1048576 words"));
    info.compute_capability = 75;
    CHECK_THAT(obstacle(nothing, 64, 10), Catch::Contains("matrix units"));
}

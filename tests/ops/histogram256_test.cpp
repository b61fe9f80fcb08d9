#include "tests/support/levels.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/histogram256.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

void check(Device &device, std::size_t width, std::size_t height, std::size_t count,
           std::size_t pitch, unsigned levels, HistogramMethod method) {
    INFO(width << "×" << height << ", " << count << " pictures, pitch " << pitch << ", " << levels
               << " levels, " << name_of(method));
    const auto pixels = random_pixels(height * count, pitch, 1, levels, 256 - levels);
    const auto images = upload_images(device, pixels, width, height, count, pitch);
    const auto histograms = device.allocate<std::uint32_t>(256 * count);
    device.fill<std::uint32_t>(histograms, 7, 256 * count); // a counter not cleared would show
    histogram256(device, images, histograms, method);

    std::vector<std::uint32_t> expected(256 * count, 0);
    for (std::size_t row = 0; row < height * count; ++row)
        for (std::size_t x = 0; x < width; ++x)
            ++expected[row / height * 256 + pixels[row * pitch + x]];
    CHECK(downloaded(device, histograms) == expected);
}

} // namespace

TEST_CASE("histogram256: counts every pixel of every picture, and no padding") {
    for (const HistogramMethod method : histogram_methods)
        for (const std::size_t width : {1, 15, 16, 17, 63, 64, 65, 1000})
            for (const std::size_t height : {1, 70})
                for (const std::size_t padding : {0, 1, 16}) {
                    const std::size_t aligned = (width + 15) / 16 * 16;
                    check(*shared_device(), width, height, 3,
                          padding == 16 ? aligned + 16 : width + padding, 256, method);
                }
}

TEST_CASE("histogram256: large pictures in many runs; constant ones; one pixel") {
    for (const HistogramMethod method : histogram_methods) {
        check(*shared_device(), 4096, 300, 1, 4096, 256, method);
        check(*shared_device(), 1001, 999, 2, 1003, 256, method);
        check(*shared_device(), 512, 512, 2, 512, 1, method);
        check(*shared_device(), 1, 1, 1, 1, 256, method);
    }
}

TEST_CASE("histogram256: a device with small groups; as many copies as fit its local memory") {
    const auto small = limited_device([](DeviceLimits &limits) { limits.work_group_size = 16; });
    const auto two_copies = limited_device([](DeviceLimits &limits) { limits.local_bytes = 3000; });
    for (const auto &device : {small, two_copies})
        check(*device, 200, 100, 2, 201, 256, HistogramMethod::local_copies);
    const auto too_little = limited_device([](DeviceLimits &limits) { limits.local_bytes = 1000; });
    CHECK_THROWS_AS(check(*too_little, 8, 8, 1, 8, 256, HistogramMethod::local_copies), Error);
}

TEST_CASE("histogram256: no pixels are zeros; too few counters are refused") {
    Device &device = *shared_device();
    const auto none = allocate_images<std::uint8_t>(device, 5, 0, 2);
    const auto histograms = device.allocate<std::uint32_t>(512);
    for (const HistogramMethod method : histogram_methods) {
        device.fill<std::uint32_t>(histograms, 7, 512);
        histogram256(device, none, histograms, method);
        CHECK(downloaded(device, histograms) == std::vector<std::uint32_t>(512, 0));
        CHECK_THROWS_AS(histogram256(device, none, device.allocate<std::uint32_t>(511), method),
                        Error);
    }
}

TEST_CASE("histogram256: two small pictures", "[oclgrind][histogram256_global.cl]"
                                              "[histogram256_local.cl][histogram256_serial.cl]") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.work_group_size = 32; });
    for (const HistogramMethod method : histogram_methods) {
        check(*device, 37, 40, 2, 37, 256, method);
        check(*device, 64, 9, 2, 80, 20, method);
        check(*device, 33, 5, 2, 35, 256, method);
    }
}

#include "tests/support/levels.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/integral.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// sums[y][x] of one image by the recurrence, in 32-bit integers that wrap.
std::vector<std::uint32_t> reference(const std::uint8_t *pixels, std::size_t width,
                                     std::size_t height, std::size_t pitch) {
    std::vector<std::uint32_t> sums((width + 1) * (height + 1), 0);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t above = y * (width + 1) + x;
            const std::size_t here = above + width + 1;
            sums[here + 1] = pixels[y * pitch + x] + sums[here] + sums[above + 1] - sums[above];
        }
    return sums;
}

void check(Device &device, std::size_t width, std::size_t height, std::size_t count,
           std::size_t padding, std::size_t sums_padding, IntegralMethod method) {
    INFO(width << "×" << height << ", " << count << " pictures, padding " << padding << ", "
               << name_of(method));
    const std::size_t pitch = width + padding;
    const auto pixels = random_pixels(height * count, pitch, 1);
    const auto images = upload_images(device, pixels, width, height, count, pitch);
    const auto sums = allocate_images<std::uint32_t>(device, width + 1, height + 1, count,
                                                     width + 1 + sums_padding);
    device.fill<std::uint32_t>(sums.pixels, 0xdeadbeef, sums.elements());
    integral(device, images, sums, method);
    const auto found = downloaded(device, sums.pixels);
    for (std::size_t image = 0; image < count; ++image) {
        const auto expected = reference(&pixels[image * height * pitch], width, height, pitch);
        for (std::size_t y = 0; y <= height; ++y) {
            const auto row = found.begin() +
                             static_cast<std::ptrdiff_t>((image * (height + 1) + y) * sums.pitch);
            const auto expected_row =
                expected.begin() + static_cast<std::ptrdiff_t>(y * (width + 1));
            INFO("picture " << image << ", row " << y);
            CHECK(std::equal(expected_row, expected_row + static_cast<std::ptrdiff_t>(width) + 1,
                             row));
        }
    }
}

} // namespace

TEST_CASE("integral: equal to the recurrence, any size, one picture and several") {
    for (const IntegralMethod method : integral_methods)
        for (const std::size_t width : {1, 15, 16, 17, 64, 65, 1000})
            for (const std::size_t height : {1, 2, 65, 300})
                for (const std::size_t count : {1, 3})
                    check(*shared_device(), width, height, count, width % 3, 0, method);
}

TEST_CASE("integral: bands write sums of any pitch") {
    check(*shared_device(), 33, 200, 2, 5, 7, IntegralMethod::bands);
}

TEST_CASE("integral: a device with small groups and little local memory") {
    const auto device = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 256; // the transpose's tile
        limits.local_bytes = 1200;
    });
    check(*device, 100, 70, 2, 0, 0, IntegralMethod::transposes);
}

TEST_CASE("integral: no pixels are zeros; shapes that do not fit are refused") {
    Device &device = *shared_device();
    for (const IntegralMethod method : integral_methods) {
        const auto none = allocate_images<std::uint8_t>(device, 0, 3);
        const auto sums = allocate_images<std::uint32_t>(device, 1, 4);
        device.fill<std::uint32_t>(sums.pixels, 1, 4);
        integral(device, none, sums, method);
        CHECK(downloaded(device, sums.pixels) == std::vector<std::uint32_t>(4, 0));
        CHECK_THROWS_AS(
            integral(device, none, allocate_images<std::uint32_t>(device, 1, 3), method), Error);
    }
    const auto one = allocate_images<std::uint8_t>(device, 1, 1);
    CHECK_THROWS_AS(integral(device, one, allocate_images<std::uint32_t>(device, 2, 2, 1, 3),
                             IntegralMethod::transposes),
                    Error);
}

TEST_CASE("integral: two small pictures", "[oclgrind][integral_bands.cl]") {
    for (const IntegralMethod method : integral_methods)
        check(*shared_device(), 19, 130, 2, 2, 0, method);
}

#include "tests/support/levels.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/equalize.hpp>

#include <catch2/catch.hpp>

#include <cmath>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// The formula, in the float32 steps that docs/operations/histogram256.md states.
std::array<std::uint8_t, 256> table_of(const std::array<std::uint32_t, 256> &histogram,
                                       std::uint32_t total) {
    std::array<std::uint8_t, 256> table{};
    std::size_t darkest = 0;
    while (histogram[darkest] == 0) ++darkest;
    if (histogram[darkest] == total) {
        table[darkest] = static_cast<std::uint8_t>(darkest);
        return table;
    }
    const float scale = 255.0F / static_cast<float>(total - histogram[darkest]);
    std::uint32_t sum = 0;
    for (std::size_t level = darkest + 1; level < 256; ++level) {
        sum += histogram[level];
        table[level] = static_cast<std::uint8_t>(
            std::lrint(std::min(static_cast<float>(sum) * scale, 255.0F)));
    }
    return table;
}

void check(Device &device, std::size_t width, std::size_t height, std::size_t padding,
           unsigned levels, HistogramMethod method, bool in_place = false) {
    INFO(width << "×" << height << ", padding " << padding << ", " << levels << " levels, "
               << name_of(method));
    constexpr std::size_t count = 2;
    const std::size_t pitch = width + padding;
    const auto pixels = random_pixels(height * count, pitch, 1, levels, 100);
    const auto in = upload_images(device, pixels, width, height, count, pitch);
    const auto out =
        in_place ? in : allocate_images<std::uint8_t>(device, width, height, count, pitch + 2);
    equalize(device, in, out, method);
    const auto found = downloaded(device, out.pixels);
    for (std::size_t image = 0; image < count; ++image) {
        std::array<std::uint32_t, 256> histogram{};
        const auto row = [&](std::size_t y) { return &pixels[(image * height + y) * pitch]; };
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t x = 0; x < width; ++x) ++histogram[row(y)[x]];
        const auto table = table_of(histogram, static_cast<std::uint32_t>(width * height));
        std::size_t wrong = 0;
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t x = 0; x < width; ++x)
                wrong += found[(image * height + y) * out.pitch + x] != table[row(y)[x]] ? 1 : 0;
        CHECK(wrong == 0);
    }
}

} // namespace

TEST_CASE("equalize: the formula bit for bit, each picture on its own") {
    for (const HistogramMethod method : {HistogramMethod::local_copies, HistogramMethod::serial})
        for (const std::size_t width : {1, 15, 16, 17, 64, 65, 1000})
            for (const unsigned levels : {1, 2, 100})
                for (const std::size_t padding : {0, 14})
                    check(*shared_device(), width, 37, padding, levels, method);
}

TEST_CASE("equalize: in place; one pixel; a device with small groups") {
    for (const HistogramMethod method : {HistogramMethod::local_copies, HistogramMethod::serial}) {
        check(*shared_device(), 123, 45, 0, 60, method, true);
        check(*shared_device(), 1, 1, 0, 60, method);
    }
    const auto small = limited_device([](DeviceLimits &limits) { limits.work_group_size = 16; });
    check(*small, 123, 45, 0, 60, HistogramMethod::local_copies);
}

TEST_CASE("equalize: nothing to do, and shapes that differ") {
    Device &device = *shared_device();
    const auto none = allocate_images<std::uint8_t>(device, 0, 3);
    const auto some = allocate_images<std::uint8_t>(device, 1, 3);
    CHECK_NOTHROW(equalize(device, none, none, HistogramMethod::serial));
    CHECK_THROWS_AS(equalize(device, none, some, HistogramMethod::serial), Error);
}

TEST_CASE("equalize: two small pictures", "[oclgrind][equalize.cl]") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.work_group_size = 32; });
    for (const HistogramMethod method : {HistogramMethod::local_copies, HistogramMethod::serial})
        check(*device, 37, 20, 3, 50, method);
}

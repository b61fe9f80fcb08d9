#include "tests/support/levels.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/transpose.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Numbers no two of which are alike among any 256, so that a misplaced element shows.
template <typename T>
std::vector<T> numbered(std::size_t size) {
    std::vector<T> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<T>((i * 167 + i / 256) % 65521);
    return values;
}

/// Transposes and compares each pixel.
template <typename T>
void check_transpose(Device &device, DeviceImages<T> in, DeviceImages<T> out,
                     TransposeMethod method) {
    INFO(in.count << " of " << in.width << "×" << in.height << ", pitches " << in.pitch << " and "
                  << out.pitch);
    const std::vector<T> values = numbered<T>(in.elements());
    device.upload<T>(in.pixels, values);
    transpose(device, in, out, method);
    const std::vector<T> transposed = downloaded(device, out.pixels);
    std::size_t misplaced = 0;
    for (std::size_t image = 0; image < in.count; ++image)
        for (std::size_t y = 0; y < in.height; ++y)
            for (std::size_t x = 0; x < in.width; ++x)
                if (transposed[(image * out.height + x) * out.pitch + y] !=
                    values[(image * in.height + y) * in.pitch + x])
                    ++misplaced;
    CHECK(misplaced == 0);
}

template <typename T>
void check_sizes(Device &device, TransposeMethod method) {
    const auto rounded = [](std::size_t size, std::size_t step) {
        return (size + step - 1) / step * step;
    };
    for (const std::size_t width : {1, 15, 16, 17, 63, 64, 65, 130, 1000})
        for (const std::size_t height : {1, 3, 16, 17, 63, 64, 65})
            for (const std::size_t count : {1, 3})
                for (const std::size_t pitch_step : {1, 4, 32}) {
                    if (method == TransposeMethod::blocks && pitch_step == 1) continue;
                    check_transpose(device,
                                    allocate_images<T>(device, width, height, count,
                                                       rounded(width, pitch_step)),
                                    allocate_images<T>(device, height, width, count,
                                                       rounded(height, pitch_step)),
                                    method);
                }
}

/// Two images, small enough for oclgrind.
template <typename T>
void check_two(Device &device, TransposeMethod method, std::size_t rows) {
    check_transpose(device, allocate_images<T>(device, 18, rows, 2, 20),
                    allocate_images<T>(device, rows, 18, 2), method);
}

} // namespace

TEMPLATE_TEST_CASE("transpose: any size, pitch and number of pictures, every method", "[transpose]",
                   float, std::uint8_t) {
    for (const TransposeChoice &choice : transpose_choices()) {
        INFO(choice.id);
        check_sizes<TestType>(*shared_device(), choice.method);
    }
    check_sizes<TestType>(*shared_device(), TransposeMethod::automatic);
}

TEMPLATE_TEST_CASE("transpose: a device with little of everything", "[transpose]", float,
                   std::uint8_t) {
    const auto small = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 1024;
    });
    for (const TransposeChoice &choice : transpose_choices()) {
        INFO(choice.id);
        check_transpose(*small, allocate_images<TestType>(*small, 100, 67, 2),
                        allocate_images<TestType>(*small, 67, 100, 2, 68), choice.method);
    }
}

TEST_CASE("transpose: no pixels, and what does not fit", "[transpose]") {
    Device &device = *shared_device();
    device.take_launches();
    transpose(device, allocate_images<float>(device, 0, 5), allocate_images<float>(device, 5, 0));
    CHECK(device.take_launches().kernels.empty());

    const auto in = allocate_images<float>(device, 6, 5, 2);
    CHECK_THROWS_AS(transpose(device, in, allocate_images<float>(device, 6, 5, 2)), Error);
    CHECK_THROWS_AS(transpose(device, in, allocate_images<float>(device, 5, 6, 1)), Error);
    CHECK_THROWS_WITH(
        transpose(device, in, allocate_images<float>(device, 5, 6, 2, 8), TransposeMethod::blocks),
        Catch::Contains("multiples of four"));
}

TEST_CASE("transpose: a picture cannot take its own place", "[transpose]") {
    Device &device = *shared_device();
    const auto refused = Catch::Contains("another buffer");
    const auto floats = allocate_images<float>(device, 8, 8);
    const auto bytes = allocate_images<std::uint8_t>(device, 8, 8);
    for (const TransposeChoice &choice : transpose_choices()) {
        CHECK_THROWS_WITH(transpose(device, floats, floats, choice.method), refused);
        CHECK_THROWS_WITH(transpose(device, bytes, bytes, choice.method), refused);
    }
    CHECK_THROWS_WITH(transpose(device, floats, DeviceImages<float>{floats.pixels, 8, 8, 8, 1}),
                      refused);
}

TEST_CASE("transpose: a padded pitch is an odd number of lines", "[transpose]") {
    for (const std::size_t width : {1, 31, 32, 33, 64, 1024, 2048, 4095, 4096}) {
        const std::size_t pitch = channel_free_pitch(width, sizeof(float));
        CHECK(pitch >= width);
        CHECK(pitch < width + 64);
        CHECK(pitch / 32 % 2 == 1);
        CHECK(pitch % 32 == 0);
    }
}

TEST_CASE("transpose: two small pictures, every method",
          "[oclgrind][transpose_naive.cl][transpose_tiled.cl][transpose_blocks.cl]"
          "[transpose_vectors.cl]") {
    const auto device = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 4096;
    });
    for (const TransposeChoice &choice : transpose_choices()) {
        INFO(choice.id);
        check_two<float>(*device, choice.method, 20);
        check_two<std::uint8_t>(*device, choice.method, 20);
    }
}

TEST_CASE("transpose: two small pictures in the shapes for GPUs",
          "[oclgrind][transpose_naive.cl][transpose_tiled.cl][transpose_blocks.cl]") {
    Device device = device_of_kind(DeviceKind::gpu);
    for (const TransposeMethod method : {TransposeMethod::naive, TransposeMethod::unpadded,
                                         TransposeMethod::tiled, TransposeMethod::blocks}) {
        check_two<float>(device, method, 132); // more than a tile of blocks
        check_two<std::uint8_t>(device, method, 132);
    }
}

TEST_CASE("transpose: two small pictures in the shapes for CPUs",
          "[oclgrind][transpose_vectors.cl]") {
    Device device = device_of_kind(DeviceKind::cpu);
    check_two<float>(device, TransposeMethod::automatic, 20);
    check_two<std::uint8_t>(device, TransposeMethod::automatic, 100); // 64 and 36
}

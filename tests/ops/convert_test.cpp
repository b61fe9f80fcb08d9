#include "tests/support/levels.hpp"
#include "tests/support/padded_pictures.hpp"

#include <bowhist/ops/convert.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("convert: groups of a device that allows few work-items") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.work_group_size = 16; });
    const std::vector<float> values = random_brightness(100, 3, 1, 1);
    const auto in = upload_padded(*device, values, 100, 3, 1);
    const auto bytes = allocate_images<std::uint8_t>(*device, 100, 3);
    const auto floats = allocate_images<float>(*device, 100, 3);
    to_bytes(*device, in, bytes);
    to_floats(*device, bytes, floats);
    std::vector<float> rounded = values;
    for (float &value : rounded) value = std::rint(value);
    CHECK(download_pixels(*device, floats) == rounded);
}

TEST_CASE("convert: bytes to floats and back, rounded and held in range",
          "[oclgrind][convert.cl]") {
    Device &device = *shared_device();
    const std::vector<float> values = {-300, -1,     -0.5F,  0,      0.49F,  0.5F, 1.5F,  2.5F,
                                       7,    127.5F, 254.4F, 254.5F, 255.5F, 1e9F, -1e9F, 200};
    const auto in = upload_padded(device, values, 8, 2, 1, 3);
    const auto bytes = allocate_images<std::uint8_t>(device, 8, 2, 1, 9);
    const auto floats = allocate_images<float>(device, 8, 2, 1, 10);
    const auto through = [&](Rounding rounding) {
        to_bytes(device, in, bytes, rounding);
        to_floats(device, bytes, floats);
        return download_pixels(device, floats);
    };
    CHECK(through(Rounding::clamped) ==
          std::vector<float>{0, 0, 0, 0, 0, 0, 2, 2, 7, 128, 254, 254, 255, 255, 0, 200});
    CHECK(through(Rounding::magnitude) ==
          std::vector<float>{255, 1, 0, 0, 0, 0, 2, 2, 7, 128, 254, 254, 255, 255, 255, 200});
    to_bytes(device, allocate_images<float>(device, 0, 3),
             allocate_images<std::uint8_t>(device, 0, 3));
}

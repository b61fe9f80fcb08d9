#include "tests/support/convolve_reference.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/convolve_bytes.hpp>
#include <bowhist/ops/convolve_separable.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Around a group's, a strip's and a vector's sizes; smaller than a radius; many in a launch.
const std::vector<BatchSize> sizes = {{1, 1, 1},   {1, 40, 2},  {40, 1, 2},    {2, 3, 3},
                                      {15, 16, 1}, {16, 17, 2}, {17, 15, 1},   {31, 33, 1},
                                      {64, 65, 2}, {67, 63, 1}, {300, 140, 1}, {5, 300, 1}};

} // namespace

TEST_CASE("convolve: every method is the definition, at every size and border", "[convolve]") {
    for (const ConvolveMethod method : convolve_methods) {
        const bool apart = method == ConvolveMethod::separable;
        const Filter filter = apart ? product(random_factors(5, 9, 3)) : random_filter(5, 9, 3);
        for (const Border border : borders)
            for (const BatchSize &size : sizes)
                check_method(*shared_device(), method, size, filter, border, 3);
    }
}

TEST_CASE("convolve: square tiles of any side that fits", "[convolve]") {
    Device &device = *shared_device();
    for (const ConvolveMethod method : {ConvolveMethod::tiled_input, ConvolveMethod::cached})
        for (const std::size_t side : {6, 10, 16, 25}) {
            const ConvolveOptions options{.method = method, .square = side};
            check_method(device, method, {67, 63, 2}, random_filter(3, 3, 7), Border::reflect, 1,
                         options);
            CHECK(obstacle(method, device, random_filter(3, 3, 7), {.square = 1000}));
        }
    CHECK(obstacle(ConvolveMethod::tiled_input, device, random_filter(5, 5, 7), {.square = 8}));
}

TEST_CASE("convolve: every radius, square and oblong", "[convolve]") {
    const BatchSize size{83, 70, 1};
    for (const ConvolveMethod method : convolve_methods)
        for (const auto &[width, height] : {std::pair<std::size_t, std::size_t>{1, 1},
                                            {3, 1},
                                            {3, 3},
                                            {15, 15},
                                            {1, 31},
                                            {31, 5},
                                            {31, 31}}) {
            const Filter filter = method == ConvolveMethod::separable
                                      ? product(random_factors(width, height, 5))
                                      : random_filter(width, height, 5);
            if (!obstacle(method, *shared_device(), filter))
                check_method(*shared_device(), method, size, filter, Border::reflect, 0);
        }
}

TEST_CASE("convolve: separable through local memory is right at any size", "[convolve]") {
    for (const auto &[width, height] : {std::pair<std::size_t, std::size_t>{7, 9}, {1, 1}, {31, 3}})
        for (const Border border : borders)
            for (const BatchSize &size : sizes) {
                ConvolveOptions options;
                options.tile = SeparableTile{.columns = 32, .strip = 24, .step = 5};
                check_method(*shared_device(), ConvolveMethod::separable, size,
                             product(random_factors(width, height, 8)), border, size.width % 3,
                             options);
            }
}

TEST_CASE("convolve: terms that are all alike add up without drift", "[convolve]") {
    Device &device = *shared_device();
    const BatchSize size{35, 40, 1};
    for (const float brightness : {0.1F, 255.F, 1.1e6F, 3e30F})
        for (const float weight : {1.F, 0.7F, 1 / 961.F}) {
            const std::vector<float> flat(size.width * size.height, brightness);
            const Filter box{31, 31, std::vector<float>(961, weight)};
            const Reference expected = convolved(flat, size, box, Border::reflect);
            const auto in = upload_padded(device, flat, size.width, size.height, 1);
            const auto out = allocate_images<float>(device, size.width, size.height);
            for (const ConvolveMethod method : convolve_methods) {
                if (obstacle(method, device, box)) continue;
                INFO(name_of(method) << ", " << brightness << " weighed by " << weight);
                convolve(device, in, out, box, {.method = method});
                require_close(download_pixels(device, out), expected);
            }
        }
}

TEST_CASE("convolve: rows and columns, each alone and one after the other", "[convolve]") {
    Device &device = *shared_device();
    for (const std::size_t length : {1, 3, 31})
        for (const Border border : borders)
            for (const BatchSize &size : sizes) {
                const auto weights = random_filter(length, 1, 11).weights;
                check_convolution(device, size, {length, 1, weights}, border, 3,
                                  [&](const auto &in, const auto &out) {
                                      convolve_rows(device, in, out, weights, border);
                                  });
                check_convolution(device, size, {1, length, weights}, border, 3,
                                  [&](const auto &in, const auto &out) {
                                      convolve_columns(device, in, out, weights, border);
                                  });
            }
}

TEST_CASE("convolve: nothing becomes nothing", "[convolve]") {
    Device &device = *shared_device();
    device.take_launches(); // of other tests
    for (const BatchSize &size : {BatchSize{0, 5, 1}, BatchSize{5, 0, 1}, BatchSize{5, 5, 0}}) {
        const auto in = allocate_images<float>(device, size.width, size.height, size.count);
        for (const ConvolveMethod method : convolve_methods)
            convolve(device, in, in, {1, 1, {1}}, {.method = method});
        convolve_rows(device, in, in, std::vector<float>{1});
        convolve_columns(device, in, in, std::vector<float>{1});
    }
    CHECK(device.take_launches().kernels.count("convolve") == 0);
}

TEST_CASE("convolve: a picture cannot take its own place", "[convolve]") {
    Device &device = *shared_device();
    const auto images = allocate_images<float>(device, 8, 8);
    const DeviceImages<float> narrower{images.pixels, 7, 8, 8, 1};
    const auto refused = Catch::Contains("another buffer");
    for (const ConvolveMethod method : convolve_methods)
        CHECK_THROWS_WITH(convolve(device, images, images, {1, 1, {1}}, {.method = method}),
                          refused);
    CHECK_THROWS_WITH(convolve(device, narrower, narrower, {1, 1, {1}}), refused);
    CHECK_THROWS_WITH(convolve_rows(device, images, images, std::vector<float>{1}), refused);
    CHECK_THROWS_WITH(convolve_columns(device, images, images, std::vector<float>{1}), refused);
}

TEST_CASE("convolve: what cannot be done is said", "[convolve]") {
    Device &device = *shared_device();
    const auto in = allocate_images<float>(device, 8, 8);
    const auto out = allocate_images<float>(device, 8, 8);
    const auto refused = [&](const Filter &filter, ConvolveMethod method, const char *word) {
        CHECK_THROWS_WITH(convolve(device, in, out, filter, {.method = method}),
                          Catch::Contains(word));
    };
    const Filter wide = random_filter(17, 17, 1);
    refused(wide, ConvolveMethod::tiled_input, "tiled_output");
    refused(wide, ConvolveMethod::separable, "take sliding");
    refused({2, 3, {1, 1, 1, 1, 1, 1}}, ConvolveMethod::automatic, "2x3");
    refused({33, 1, std::vector<float>(33)}, ConvolveMethod::automatic, "1 to 31");
    refused({0, 0, {}}, ConvolveMethod::automatic, "0x0");
    refused({3, 3, {1}}, ConvolveMethod::automatic, "give 9");
    refused({1, 1, {std::nanf("")}}, ConvolveMethod::automatic, "not finite");
    CHECK_THROWS_WITH(convolve(device, in, allocate_images<float>(device, 8, 9), {1, 1, {1}}),
                      Catch::Contains("8x9"));
}

TEST_CASE("convolve: operations a byte are the textbook's", "[convolve]") {
    CHECK(tiled_operations_per_byte(32, 5, 5) == Approx(9.57).margin(0.005));
    CHECK(tiled_operations_per_byte(32, 9, 9) == Approx(22.78).margin(0.005));
    CHECK(tiled_operations_per_byte(8, 5, 5) == Approx(3.13).margin(0.005));
    CHECK(tiled_operations_per_byte(4, 5, 5) == 0);
    CHECK(untiled_operations_per_byte(true) == 0.25);
    CHECK(untiled_operations_per_byte(false) == 0.5);
}

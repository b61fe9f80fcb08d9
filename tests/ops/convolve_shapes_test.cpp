// What differs from device to device: shapes, tiles, groups.
#include "tests/support/convolve_reference.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/ops/convolve_separable.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Both ways that slide, in every shape, on images with whole windows and with edges.
void check_sliding(Device &device, const BatchSize &size, std::size_t padding,
                   const std::vector<SlidingShape> &shapes) {
    const Filter filter = product(random_factors(3, 5, 17));
    for (const SlidingShape &shape : shapes)
        for (const Border border : {Border::zero, Border::reflect})
            for (const auto method : {ConvolveMethod::sliding, ConvolveMethod::separable})
                check_method(device, method, size, filter, border, padding, {.shape = shape});
}

/// Each method does what it should, or names its obstacle; the two that slide have none.
void check_or_refused(Device &device, std::size_t side) {
    const Filter filter = product(random_factors(side, side, 13));
    for (const ConvolveMethod method : convolve_methods) {
        INFO(name_of(method) << ' ' << side);
        const auto why = obstacle(method, device, filter);
        const DeviceLimits &limits = device.limits();
        const bool slides =
            method == ConvolveMethod::sliding || method == ConvolveMethod::separable;
        const bool local =
            !slides && method != ConvolveMethod::basic && method != ConvolveMethod::constant;
        if (slides) CHECK_FALSE(why);
        if (!slides && limits.work_group_size < 256) CHECK(why);
        if (local && limits.local_bytes < 1024) CHECK(why); // not even 16 × 16 floats
        if (!local && limits.work_group_size >= 256) CHECK_FALSE(why);
        if (side < 16 && limits.work_group_size >= 256 && limits.local_bytes >= 8192)
            CHECK_FALSE(why);
        if (!why) {
            check_method(device, method, {50, 40, 1}, filter, Border::reflect, 0);
            continue;
        }
        const auto pixels = allocate_images<float>(device, 8, 8);
        CHECK_THROWS_WITH(convolve(device, pixels, allocate_images<float>(device, 8, 8), filter,
                                   {.method = method}),
                          Catch::Contains(*why));
    }
}

/// The same for the two passes.
void check_passes_or_refused(Device &device, std::size_t length) {
    const std::vector<float> weights(length, 2);
    const auto in = allocate_images<float>(device, 8, 8);
    const auto out = allocate_images<float>(device, 8, 8);
    const bool enough =
        device.limits().work_group_size >= 256 && device.limits().local_bytes >= (1 << 15);
    if (enough) CHECK_FALSE(two_pass_obstacle(device, length));
    if (const auto why = two_pass_obstacle(device, length)) {
        CHECK_THROWS_WITH(convolve_columns(device, in, out, weights), Catch::Contains(*why));
        CHECK_THROWS_WITH(convolve_rows(device, in, out, weights), Catch::Contains(*why));
        return;
    }
    CHECK(device.limits().work_group_size >= 256);
    CHECK(device.limits().local_bytes > 4096);
}

} // namespace

TEST_CASE("convolve: the shapes for GPUs are right, too", "[convolve]") {
    const Filter filter = product(random_factors(7, 9, 7));
    for (const std::size_t lanes : {2, 4})
        for (const std::size_t padding : {0, 1, 4})
            for (const BatchSize &size :
                 {BatchSize{1, 1, 2}, BatchSize{64, 20, 2}, BatchSize{131, 77, 1}}) {
                const Border border = borders[(lanes + padding) % 3];
                ConvolveOptions options;
                options.shape = SlidingShape{lanes, 5, {32, 4}};
                for (const auto method : {ConvolveMethod::sliding, ConvolveMethod::separable})
                    check_method(*shared_device(), method, size, filter, border, padding, options);
            }
}

TEST_CASE("convolve: tiled_output makes any number of pixels a work-item", "[convolve]") {
    for (const std::size_t outputs : {1, 2, 8}) {
        ConvolveOptions options;
        options.outputs = outputs;
        check_method(*shared_device(), ConvolveMethod::tiled_output, {70, 67, 2},
                     random_filter(5, 3, 9), Border::replicate, 1, options);
    }
}

TEST_CASE("convolve: where groups or local memory are small, a method works or says what it lacks",
          "[convolve]") {
    struct Limits {
        std::size_t items;
        std::size_t local_bytes;
    };
    for (const Limits &few : {Limits{1, 1 << 15},
                              {255, 1 << 15},
                              {256, 512},
                              {256, 4096},
                              {256, 1 << 15},
                              {1024, 1024},
                              {1024, 1 << 15}}) {
        const auto device = limited_device([&](DeviceLimits &limits) {
            limits.work_group_size = few.items;
            limits.local_bytes = few.local_bytes;
        });
        for (const std::size_t side : {5, 31}) {
            INFO(few.items << " work-items, " << few.local_bytes << " bytes");
            check_or_refused(*device, side);
            check_passes_or_refused(*device, side);
        }
    }
}

TEST_CASE("convolve: an obstacle counts the outputs and the shape that are asked for",
          "[convolve]") {
    const auto device = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 256;
        limits.local_bytes = 8192;
    });
    const Filter filter = random_filter(5, 5, 21);
    const auto outputs = [&](std::size_t number) {
        return obstacle(ConvolveMethod::tiled_output, *device, filter, {.outputs = number});
    };
    CHECK_FALSE(outputs(4)); // 36 × 36 floats
    CHECK(outputs(8));       // 36 × 68
    const auto groups = [&](Range group) {
        return obstacle(ConvolveMethod::sliding, *device, filter,
                        {.shape = SlidingShape{.group = group}});
    };
    CHECK_FALSE(groups({32, 8}));
    CHECK(groups({32, 16}));
}

TEST_CASE("convolve: a small picture, every textbook kernel",
          "[oclgrind][convolve_basic.cl][convolve_constant.cl][convolve_tiled_input.cl]"
          "[convolve_tiled_output.cl][convolve_cached.cl][convolve_rows.cl][convolve_columns.cl]") {
    Device device{DeviceOptions{}};
    const BatchSize size{19, 35, 2};
    const Filter filter = random_filter(3, 5, 15);
    const std::vector<float> weights = random_filter(5, 1, 16).weights;
    for (const Border border : {Border::zero, Border::reflect}) {
        for (const ConvolveMethod method :
             {ConvolveMethod::basic, ConvolveMethod::constant, ConvolveMethod::tiled_input,
              ConvolveMethod::tiled_output, ConvolveMethod::cached})
            check_method(device, method, size, filter, border, 1);
        check_convolution(device, size, {5, 1, weights}, border, 1,
                          [&](const auto &in, const auto &out) {
                              convolve_rows(device, in, out, weights, border);
                          });
        check_convolution(device, size, {1, 5, weights}, border, 1,
                          [&](const auto &in, const auto &out) {
                              convolve_columns(device, in, out, weights, border);
                          });
    }
}

TEST_CASE("convolve: a small picture in the shapes for GPUs",
          "[oclgrind][convolve_sliding.cl][convolve_separable.cl]") {
    Device device = device_of_kind(DeviceKind::gpu);
    for (const std::size_t padding : {0, 1}) // with whole vectors, and without
        check_sliding(device, {40, 70, 2}, padding,
                      {sliding_shape(device, 5), {2, 5, {8, 2}}, {4, 5, {8, 2}}});
}

TEST_CASE("convolve: a small picture in the shapes for CPUs",
          "[oclgrind][convolve_sliding.cl][convolve_separable.cl]") {
    Device device = device_of_kind(DeviceKind::cpu);
    std::vector<SlidingShape> shapes = {sliding_shape(device, 5)};
    for (const std::size_t lanes : {4, 8, 16}) shapes.push_back({lanes, 33, {1, 1}, true});
    for (const std::size_t padding : {0, 3}) check_sliding(device, {45, 70, 2}, padding, shapes);
}

TEST_CASE("convolve: separable as GPUs do it unasked", "[convolve]") {
    Device device = device_of_kind(DeviceKind::gpu);
    for (const auto &[width, height] : {std::pair<std::size_t, std::size_t>{15, 15}, {31, 1}})
        for (const BatchSize &size : {BatchSize{255, 130, 2}, {257, 129, 2}, {1, 1, 1}})
            check_method(device, ConvolveMethod::separable, size,
                         product(random_factors(width, height, 8)), Border::reflect, 1);
    ConvolveOptions options{.method = ConvolveMethod::separable};
    options.tile = SeparableTile{.columns = 30};
    const auto in = allocate_images<float>(device, 40, 40);
    const auto out = allocate_images<float>(device, 40, 40);
    CHECK_THROWS_AS(convolve(device, in, out, product(random_factors(3, 3, 1)), options), Error);
}

TEST_CASE("convolve: a small picture through local memory",
          "[oclgrind][convolve_separable_tiled.cl]") {
    const Filter filter = product(random_factors(5, 7, 15));
    ConvolveOptions options;
    options.tile = SeparableTile{.columns = 8, .strip = 16, .step = 4};
    for (const Border border : {Border::zero, Border::reflect})
        for (const std::size_t padding : {0, 1}) // with whole vectors, and without
            check_method(*shared_device(), ConvolveMethod::separable, {40, 35, 2}, filter, border,
                         padding, options);
}

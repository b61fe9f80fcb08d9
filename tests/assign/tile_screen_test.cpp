// gpu6: every shape of its tiles, those for other devices too.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/assign/host/simd/integer_words.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

bool allowed(const TileShape &shape, const Vocabulary &vocabulary) {
    const DeviceLimits &limits = shared_device()->limits();
    return shape.group <= limits.work_group_size && shape.local_bytes <= limits.local_bytes &&
           vocabulary.dimensions <= shape.most_dimensions &&
           (!shape.integers || (limits.fp64 && pack_integers(vocabulary, {shape.columns, 1}, 1)));
}

/// An assigner with that shape, whatever the kind of the device.
DeviceAssigner assigner_with(const TileShape &shape, const Vocabulary &vocabulary,
                             const AssignOptions &options = {}) {
    return {shared_device(),
            [&shape](const std::shared_ptr<Device> &device, const Vocabulary &words,
                     const Buffer<float> &centroids,
                     const AssignOptions &own) -> std::unique_ptr<DeviceScreen> {
                if (shape.integers)
                    return make_integer_tile_screen(device, shape, words, centroids, own);
                return std::make_unique<TileScreen>(device, shape, words, own);
            },
            vocabulary, options};
}

void check_every_shape(const Descriptors &descriptors, const Vocabulary &vocabulary,
                       const AssignOptions &options = {}) {
    const Assignment expected =
        assign(find_level("serial"), nullptr, descriptors, vocabulary, options);
    for (const TileShape &shape : tile_shapes()) {
        if (!allowed(shape, vocabulary)) continue;
        INFO("shape " << shape.name << ", n " << descriptors.size() << ", D "
                      << vocabulary.dimensions << ", k " << vocabulary.size());
        DeviceAssigner assigner = assigner_with(shape, vocabulary, options);
        const Assignment result = assigner.run({descriptors.values, {}, 1});
        CHECK(result.words == expected.words);
        CHECK(result.histograms == expected.histograms);
    }
}

/// What tile_shape() chooses for a device like that.
std::string_view chosen(DeviceKind kind, std::size_t group, std::uint64_t local_bytes,
                        std::uint32_t vector = 1, bool vnni = false, bool integers = true) {
    DeviceInfo info;
    info.kind = kind;
    info.avx512_vnni = vnni;
    info.preferred_float_vector = vector;
    DeviceLimits limits = shared_device()->limits();
    limits.work_group_size = group;
    limits.local_bytes = local_bytes;
    limits.fp64 = true;
    const TileShape *shape = tile_shape(info, limits, 64, integers);
    return shape == nullptr ? "none" : shape->name;
}

} // namespace

TEST_CASE("tiles: any number of descriptors and words, in every shape") {
    for (const std::size_t n : {0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000})
        for (const std::size_t k : {1, 2, 6, 17, 127, 128, 129})
            check_every_shape(random_descriptors(n, 64, 1), random_vocabulary(k, 64, 2));
    check_every_shape(random_descriptors(300, 64, 3), random_vocabulary(1000, 64, 4));
}

TEST_CASE("tiles: any multiple of four dimensions, in every shape") {
    for (const std::size_t dimensions : {4, 12, 60, 128, 512})
        check_every_shape(random_descriptors(150, dimensions, 5),
                          random_vocabulary(140, dimensions, 6));
}

TEST_CASE("tiles: hard cases, in every shape") {
    const Vocabulary doubled = words_repeated(random_vocabulary(90, 64, 7), 2);
    check_every_shape(nearly_tied(doubled, 400, 8), doubled);
    for (const float scale : {1e-45F, 1e-30F, 1e-20F, 1e-18F, 1e15F, 1e19F, 1e30F, 3e37F}) {
        check_every_shape(random_descriptors(50, 64, 9, scale), random_vocabulary(40, 64, 10));
        check_every_shape(random_descriptors(50, 64, 9), random_vocabulary(40, 64, 10, scale));
        check_every_shape(random_descriptors(50, 64, 9, scale),
                          random_vocabulary(40, 64, 10, scale));
    }
}

TEST_CASE("tiles: planted too small, the bound lets every shape err") {
    const Vocabulary vocabulary = random_vocabulary(100, 64, 17);
    const Descriptors descriptors = nearly_tied(vocabulary, 2000, 18);
    const Assignment expected = assign(find_level("serial"), nullptr, descriptors, vocabulary);
    for (const TileShape &shape : tile_shapes()) {
        if (!allowed(shape, vocabulary)) continue;
        INFO("shape " << shape.name);
        DeviceAssigner proving = assigner_with(shape, vocabulary);
        CHECK(proving.run({descriptors.values, {}, 1}).words == expected.words);
        DeviceAssigner careless = assigner_with(shape, vocabulary, {.bound_scale = 0.001});
        CHECK(careless.run({descriptors.values, {}, 1}).words != expected.words);
    }
}

TEST_CASE("tiles: batches of any size give the same words, in every shape") {
    const Vocabulary vocabulary = random_vocabulary(70, 64, 11);
    for (const std::size_t batch : {1, 7, 128, 129})
        check_every_shape(random_descriptors(300, 64, 12), vocabulary, {.batch = batch});
}

TEST_CASE("tiles: few rows of ordinary data are left to the rule, in every shape") {
    const Vocabulary vocabulary = random_vocabulary(200, 64, 13);
    const Descriptors descriptors = random_descriptors(2000, 64, 14);
    for (const TileShape &shape : tile_shapes()) {
        if (!allowed(shape, vocabulary)) continue;
        INFO("shape " << shape.name);
        DeviceAssigner assigner = assigner_with(shape, vocabulary);
        assigner.run({descriptors.values, {}, 1});
        CHECK(assigner.report().unproven < 20);
    }
}

TEST_CASE("tiles: the shape follows the kind of the device and its limits") {
    const std::uint64_t plenty = 49152;
    CHECK(chosen(DeviceKind::gpu, 1024, plenty) == "128x128");
    CHECK(chosen(DeviceKind::gpu, 127, plenty) == "64x64");
    CHECK(chosen(DeviceKind::accelerator, 1024, 16384) == "64x64");
    CHECK(chosen(DeviceKind::gpu, 63, plenty) == "none");
    CHECK(chosen(DeviceKind::gpu, 1024, 4096) == "none");
    CHECK(chosen(DeviceKind::cpu, 1, 0, 16, true) == "48 lanes x 8, integers");
    CHECK(chosen(DeviceKind::cpu, 1, 0, 16, true, false) == "16 lanes x 16");
    CHECK(chosen(DeviceKind::cpu, 1, 0, 16) == "16 lanes x 16");
    CHECK(chosen(DeviceKind::cpu, 1, 0, 8) == "16 lanes x 6");
    CHECK(chosen(DeviceKind::cpu, 1, 0, 0) == "16 lanes x 6");
}

TEST_CASE("tiles: what they cannot take is said, with the reason") {
    const auto device = shared_device();
    const auto odd = tile_obstacle(*device, 61, 10);
    REQUIRE(odd);
    CHECK_THAT(*odd, Catch::Contains("multiples of 4"));
    const auto small =
        limited_device([](DeviceLimits &limits) { limits.allocation_bytes = 65536; });
    CHECK_FALSE(tile_obstacle(*small, 64, 128));
    const auto too_many = tile_obstacle(*small, 64, 300);
    REQUIRE(too_many);
    CHECK_THAT(*too_many, Catch::Contains("65536"));
    if (device->info().kind != DeviceKind::cpu) return;
    CHECK_FALSE(tile_obstacle(*device, 512, 10));
    const auto too_long = tile_obstacle(*device, 516, 10);
    REQUIRE(too_long);
    CHECK_THAT(*too_long, Catch::Contains("512"));
}

TEST_CASE("tiles: every shape on a few rows, small enough for oclgrind",
          "[oclgrind][gpu6.cl][gpu6_cpu.cl][gpu6_cpu_16bit.cl]") {
    const Vocabulary vocabulary = random_vocabulary(5, 4, 1);
    check_every_shape(nearly_tied(vocabulary, 19, 2), vocabulary);
}

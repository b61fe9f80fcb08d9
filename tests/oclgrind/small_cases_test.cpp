// Kernels whose own tests are too large for oclgrind, on a few pixels each.
#include "tests/support/gaussian_reference.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/bench/cases.hpp>
#include <bowhist/ops/transpose.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::shared_ptr<Device> small_device() {
    return limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 4096;
    });
}

/// Pixels that are not what the pictures say, turned: two, of 18 columns.
template <typename T>
std::size_t misplaced(Device &device, TransposeMethod method, std::size_t rows) {
    const auto bytes = random_pixels(2 * rows, 20, 1);
    const std::vector<T> values(bytes.begin(), bytes.end());
    const auto in = upload_images(device, values, 18, rows, 2, 20);
    const auto out = allocate_images<T>(device, rows, 18, 2);
    transpose(device, in, out, method);
    const auto turned = download(device, out.pixels, out.elements());
    std::size_t wrong = 0;
    for (std::size_t picture = 0; picture < 2; ++picture)
        for (std::size_t y = 0; y < rows; ++y)
            for (std::size_t x = 0; x < 18; ++x)
                wrong +=
                    turned[(picture * 18 + x) * rows + y] != values[(picture * rows + y) * 20 + x]
                        ? 1
                        : 0;
    return wrong;
}

/// Every shape of the Gaussian on a small picture, cut and uncut, against float64.
void check_gaussian(Device &device) {
    const Picture picture = random_picture(37, 70, 1);
    const auto expected = blurred(picture, recursive_gaussian(2));
    for (const GaussianShape &shape : gaussian_shapes())
        for (const std::size_t segment_rows : {32, 1024}) {
            INFO(shape.id << ", cut after " << segment_rows);
            const Picture blur = on_device(device, picture, 2, {shape, segment_rows});
            CHECK(difference(blur.pixels, expected) < 2e-6);
        }
}

} // namespace

TEST_CASE("transpose: two small pictures, every method",
          "[oclgrind][transpose_naive.cl][transpose_tiled.cl][transpose_blocks.cl]"
          "[transpose_vectors.cl]") {
    const auto device = small_device();
    for (const TransposeChoice &choice : transpose_choices()) {
        INFO(choice.id);
        CHECK(misplaced<float>(*device, choice.method, 20) == 0);
        CHECK(misplaced<std::uint8_t>(*device, choice.method, 20) == 0);
    }
}

TEST_CASE("transpose: two small pictures in the shapes for GPUs",
          "[oclgrind][transpose_naive.cl][transpose_tiled.cl][transpose_blocks.cl]") {
    Device device = device_of_kind(DeviceKind::gpu);
    for (const TransposeMethod method : {TransposeMethod::naive, TransposeMethod::unpadded,
                                         TransposeMethod::tiled, TransposeMethod::blocks}) {
        CHECK(misplaced<float>(device, method, 132) == 0); // more than a tile of blocks
        CHECK(misplaced<std::uint8_t>(device, method, 132) == 0);
    }
}

TEST_CASE("transpose: two small pictures in the shapes for CPUs",
          "[oclgrind][transpose_vectors.cl]") {
    Device device = device_of_kind(DeviceKind::cpu);
    CHECK(misplaced<float>(device, TransposeMethod::automatic, 20) == 0);
    CHECK(misplaced<std::uint8_t>(device, TransposeMethod::automatic, 100) == 0); // 64 and 36
}

TEST_CASE("gaussian: a small picture on a device with little of everything",
          "[oclgrind][gaussian_rows.cl][gaussian_columns.cl][gaussian_segments.cl]"
          "[gaussian_turned.cl][gaussian_turned_vectors.cl]") {
    check_gaussian(*small_device());
}

TEST_CASE("gaussian: a small picture as GPUs blur it",
          "[oclgrind][gaussian_rows.cl][gaussian_columns.cl][gaussian_segments.cl]"
          "[gaussian_turned.cl][gaussian_turned_vectors.cl]") {
    Device device = device_of_kind(DeviceKind::gpu);
    check_gaussian(device);
}

TEST_CASE("gaussian: a small picture as CPUs blur it",
          "[oclgrind][gaussian_rows.cl][gaussian_columns.cl][gaussian_segments.cl]"
          "[gaussian_turned.cl][gaussian_turned_vectors.cl]") {
    Device device = device_of_kind(DeviceKind::cpu);
    check_gaussian(device);
}

TEST_CASE("bench: every way of reading a little memory",
          "[oclgrind][memory_buffer.cl][memory_image.cl][memory_table.cl]") {
    Observer observer;
    BenchRequest request;
    request.n = 256; // enough for a texture
    const Scene scene{request, small_device(), observer};
    for (const Case &row : memory_cases(scene, 0)) {
        INFO(row.subject.level << " " << row.obstacle);
        REQUIRE((row.obstacle.empty() || !scene.device->info().images));
        if (row.obstacle.empty()) CHECK(row.check().mismatches == 0);
    }
}

TEST_CASE("bench: the kernels of the peaks, for a moment",
          "[oclgrind][peak_copy.cl][peak_fma.cl]") {
    Device &device = *shared_device();
    const auto from = device.allocate<float>(40);
    const auto to = device.allocate<float>(40);
    device.fill(from, 3.0F, 40);
    Kernel copy = device.kernel("peak_copy.cl", "peak_copy");
    device.launch(copy, {10, 1}, {4, 1}, from, to, cl_uint{10});
    CHECK(download(device, to, 40) == std::vector<float>(40, 3.0F));
    Kernel fma = device.kernel("peak_fma.cl", "peak_fma", "-DCHAINS=12");
    device.launch(fma, {40, 1}, {4, 1}, cl_uint{3}, 1.0F, 1.0F, to);
    // Chain c of work-item i starts at i + c and goes up by one, three times; twelve are added up.
    CHECK(download(device, to, 40)[39] == 12 * (39 + 3) + 66);
}

// Kernels whose own tests are too large for oclgrind, on a few pixels each.
#include "tests/support/levels.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/bench/memory_cases.hpp>
#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/transpose.hpp>

#include <catch2/catch.hpp>

#include <cmath>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::shared_ptr<Device> small_device() {
    return limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 4096;
    });
}

/// Pixels that are not what the picture says, turned.
template <typename T>
std::size_t misplaced(Device &device, TransposeMethod method) {
    const auto bytes = random_pixels(40, 20, 1);
    const std::vector<T> values(bytes.begin(), bytes.end());
    const auto in = upload_images(device, values, 18, 20, 2, 20);
    const auto out = allocate_images<T>(device, 20, 18, 2);
    transpose(device, in, out, method);
    const auto turned = download(device, out.pixels, out.elements());
    std::size_t wrong = 0;
    for (std::size_t picture = 0; picture < 2; ++picture)
        for (std::size_t y = 0; y < 20; ++y)
            for (std::size_t x = 0; x < 18; ++x)
                wrong += turned[(picture * 18 + x) * 20 + y] != values[(picture * 20 + y) * 20 + x]
                             ? 1
                             : 0;
    return wrong;
}

} // namespace

TEST_CASE("transpose: two small pictures, every method",
          "[oclgrind][transpose_naive.cl][transpose_tiled.cl][transpose_blocks.cl]"
          "[transpose_vectors.cl]") {
    const auto device = small_device();
    for (const TransposeChoice &choice : transpose_choices()) {
        INFO(choice.id);
        CHECK(misplaced<float>(*device, choice.method) == 0);
        CHECK(misplaced<std::uint8_t>(*device, choice.method) == 0);
    }
}

TEST_CASE("gaussian: a small picture of one grey stays so, every shape",
          "[oclgrind][gaussian_rows.cl][gaussian_columns.cl][gaussian_segments.cl]"
          "[gaussian_turned.cl][gaussian_turned_vectors.cl]") {
    const auto device = small_device();
    const auto in = upload_images(*device, std::vector<float>(37 * 70, 0.5F), 37, 70, 1, 37);
    const auto out = allocate_images<float>(*device, 37, 70);
    GaussianScratch scratch;
    for (const GaussianShape &shape : gaussian_shapes())
        for (const std::size_t segment_rows : {32, 1024}) {
            INFO(shape.id << ", cut after " << segment_rows);
            gaussian_blur(*device, in, 2, out, scratch, {shape, segment_rows});
            float farthest = 0;
            for (const float pixel : download(*device, out.pixels, out.elements()))
                farthest = std::max(farthest, std::abs(pixel - 0.5F));
            CHECK(farthest < 1e-4F);
        }
}

TEST_CASE("bench: every way of reading a little memory",
          "[oclgrind][memory_buffer.cl][memory_image.cl][memory_local.cl]") {
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
    Kernel fma = device.kernel("peak_fma.cl", "peak_fma");
    device.launch(fma, {40, 1}, {4, 1}, cl_uint{3}, 1.0F, 1.0F, to);
    // Chain c of work-item i starts at i + c and goes up by one, three times; twelve are added up.
    CHECK(download(device, to, 40)[39] == 12 * (39 + 3) + 66);
}

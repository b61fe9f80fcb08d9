// Kernels whose own tests are too large for oclgrind, on a few pixels each.
#include "bench/cases/cases.hpp"
#include "tests/support/gaussian_reference.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/pictures.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::shared_ptr<Device> small_device() {
    return limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 4096;
    });
}

/// Every shape of the Gaussian on a small image, cut and uncut, against float64.
void check_gaussian(Device &device) {
    const TestImage image = random_image(37, 70, 1);
    const auto expected = blurred(image, recursive_gaussian(2));
    for (const GaussianShape &shape : gaussian_shapes())
        for (const std::size_t segment_rows : {32, 1024}) {
            INFO(shape.id << ", cut after " << segment_rows);
            const TestImage blur = on_device(device, image, 2, {shape, segment_rows});
            CHECK(difference(blur.pixels, expected) < 2e-6);
        }
}

/// Runs a kernel of that text on eight work-items and a buffer of four numbers.
void run_planted(const std::string &body) {
    const TemporaryFolder folder;
    std::ofstream(folder / "transpose_naive.cl")
        << "kernel void planted(global uint *numbers) {" << body << "}\n";
    Device device({.kernel_dir = folder.path()});
    Kernel kernel = device.kernel("transpose_naive.cl", "planted");
    device.launch(kernel, {8, 1}, {4, 1}, device.allocate<std::uint32_t>(4));
    device.take_launches();
}

} // namespace

TEST_CASE("gaussian: a small picture on a device with little of everything",
          "[oclgrind][gaussian_rows.cl][gaussian_columns.cl][gaussian_segments.cl]"
          "[gaussian_transposed.cl][gaussian_transposed_vectors.cl]") {
    check_gaussian(*small_device());
}

TEST_CASE("gaussian: a small picture as GPUs blur it",
          "[oclgrind][gaussian_rows.cl][gaussian_columns.cl][gaussian_segments.cl]"
          "[gaussian_transposed.cl][gaussian_transposed_vectors.cl]") {
    Device device = device_of_kind(DeviceKind::gpu);
    check_gaussian(device);
}

TEST_CASE("gaussian: a small picture as CPUs blur it",
          "[oclgrind][gaussian_rows.cl][gaussian_columns.cl][gaussian_segments.cl]"
          "[gaussian_transposed.cl][gaussian_transposed_vectors.cl]") {
    Device device = device_of_kind(DeviceKind::cpu);
    check_gaussian(device);
}

TEST_CASE("bench: every way of reading a little memory",
          "[oclgrind][memory_buffer.cl][memory_image.cl][memory_table.cl]") {
    Observer observer;
    BenchRequest request;
    request.n = 256; // enough for a texture
    const Scene scene{request, small_device(), observer};
    const std::set<std::string> alike = {"local2", "local4", "local8", "local16",
                                         "local32"}; // to "local33", but for a number
    for (const Case &row : memory_cases(scene)) {
        if (alike.contains(row.subject.level)) continue;
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
    CHECK(downloaded(device, to) == std::vector<float>(40, 3.0F));
    Kernel fma = device.kernel("peak_fma.cl", "peak_fma", "-DCHAINS=12");
    device.launch(fma, {40, 1}, {4, 1}, cl_uint{3}, 1.0F, 1.0F, to);
    // Chain c of work-item i starts at i + c and goes up by one, three times; twelve are added up.
    CHECK(downloaded(device, to)[39] == 12 * (39 + 3) + 66);
}

TEST_CASE("oclgrind finds: beyond the end", "[.]") {
    run_planted("numbers[get_global_id(0)] = 0;");
}

TEST_CASE("oclgrind finds: data race", "[.]") {
    run_planted("numbers[0] += get_global_id(0);");
}

#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/device/build_failure.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <numeric>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("devices: each lists what a kernel author needs") {
    const auto all = devices();
    REQUIRE_FALSE(all.empty());
    for (const DeviceInfo &device : all) {
        INFO(device.name);
        CHECK_FALSE(device.name.empty());
        CHECK(device.compute_units > 0);
        CHECK(device.global_memory >= device.maximum_allocation);
        CHECK(device.local_memory > 0);
        CHECK(device.constant_buffer > 0);
        CHECK(device.work_group_size > 0);
        CHECK_THAT(device.opencl_version, Catch::StartsWith("OpenCL "));
    }
    // Asked of a kernel, so that only a device that builds kernels can answer.
    CHECK(all.at(shared_device()->info().number).preferred_multiple > 0);
}

TEST_CASE("devices: found by number, kind and part of the name; otherwise the error names them") {
    const DeviceInfo first = devices().front();
    CHECK(Device({.selector = "0"}).info().name == first.name);
    CHECK(Device({.selector = first.name.substr(1)}).info().number == 0);
    CHECK(Device({.selector = name_of(first.kind)}).info().kind == first.kind);
    try {
        const Device device({.selector = "no such device"});
        FAIL("it was opened");
    } catch (const Error &error) {
        CHECK(error.fault == Fault::device);
        CHECK_THAT(error.what(), Catch::Contains("no such device") && Catch::Contains(first.name));
    }
    for (const char digit : first.name) // a number is no part of a name
        if (std::isdigit(digit) && static_cast<std::size_t>(digit - '0') >= devices().size())
            CHECK_THROWS_AS(Device({.selector = std::string(1, digit)}), Error);
}

TEST_CASE("device: a kernel that does not build is an error of its own, with the log") {
    const TemporaryFolder folder;
    std::ofstream(folder / "gpu1.cl") << "this is no OpenCL\n";
    std::ofstream(folder / "gpu2.cl") << "kernel void another(void) {}\n";
    const LevelRequest request{.level = "gpu1", .kernel_dir = folder.path()};
    Device device({.kernel_dir = folder.path()});
    CHECK_THROWS_AS(device.kernel("gpu2.cl", "assign"), BuildFailure);
    try {
        choose_level(request, 64, 2).prepare(random_vocabulary(2, 64, 1));
        FAIL("it was built");
    } catch (const BuildFailure &failure) { // what is added on the way keeps the type
        CHECK(failure.fault == Fault::device);
        CHECK_THAT(failure.what(), Catch::Contains("gpu1") && Catch::Contains("host level"));
        const bool heeds_line = device.info().platform.find("NVIDIA") == std::string::npos;
        CHECK_THAT(failure.detail, Catch::Contains(heeds_line ? "gpu1.cl:1" : "no OpenCL"));
    }
    try {
        device.allocate<float>(device.limits().allocation_bytes);
        FAIL("there was room");
    } catch (const BuildFailure &) {
        FAIL("nothing was built");
    } catch (const Error &error) {
        CHECK(error.fault == Fault::device);
    }
}

TEST_CASE("device: memory is handed out cleared, when asked for", "[device]") {
    const auto device = shared_device();
    const auto first_of_new = [&] {
        const auto buffer = device->allocate<std::uint8_t>(1003);
        std::vector<std::uint8_t> found(1003);
        device->download(std::span(found), buffer);
        device->fill<std::uint8_t>(buffer, 7, 1003); // for the next to find
        return std::accumulate(found.begin(), found.end(), 0);
    };
    first_of_new();
    device->clear_allocations(true);
    for (int i = 0; i < 5; ++i) CHECK(first_of_new() == 0);
    device->clear_allocations(false);
}

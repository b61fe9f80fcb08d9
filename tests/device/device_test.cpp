#include "tests/files/checks.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/device/ptx.hpp>
#include <bowhist/ops/scan.hpp>

#include <catch2/catch.hpp>

#include <array>
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
    checks::require_error(Fault::device, "", {"no such device", first.name},
                          [] { const Device device({.selector = "no such device"}); });
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

TEST_CASE("ptx: covered lines are uncovered for Hopper's own target") {
    const std::string ptx = ".version 8.0\n.target sm_90, texmode_independent\n"
                            ".entry assign(\n)\n.reqntid 256, 1, 1\n{\n"
                            "\t//^ .minnctapersm 2\n"
                            "\t//@ wgmma.fence.sync.aligned;\n"
                            "\tadd.s32 %r1, %r1, 1; // an ordinary comment\n"
                            "\t//@ wgmma.commit_group.sync.aligned;\n}\n";
    CHECK(uncovered_ptx(ptx + '\0') == ".version 8.0\n.target sm_90a\n"
                                       ".entry assign(\n)\n.reqntid 256, 1, 1\n.minnctapersm 2\n{\n"
                                       "\t\n"
                                       "\twgmma.fence.sync.aligned;\n"
                                       "\tadd.s32 %r1, %r1, 1; // an ordinary comment\n"
                                       "\twgmma.commit_group.sync.aligned;\n}\n");
}

TEST_CASE("ptx: only sources with covered instructions have any") {
    CHECK(has_covered_ptx("asm volatile(\"//@ wgmma.fence.sync.aligned;\\n\");"));
    CHECK_FALSE(has_covered_ptx("//@ a comment, asm volatile(\"bar.sync 0;\");"));
}

TEST_CASE("ptx: a file that is no binary is refused") {
    CHECK_THROWS_AS(uncovered_ptx(std::string("\x7f"
                                              "ELF\0\0",
                                              6)),
                    Error);
    CHECK_THROWS_AS(uncovered_ptx(""), Error);
}

TEST_CASE("bundle: each vector arrives in a buffer of its own, which lasts") {
    Device &device = *shared_device();
    std::vector<cl_uint> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 7);
    const std::vector<cl_uchar> byte = {3};
    const std::vector<cl_float> none;
    const std::vector<cl_float> floats(33, 0.5F);
    const std::vector<cl_uchar> bytes(4096, 9); // as many as any alignment
    Buffer<cl_uint> numbers_there;
    Buffer<cl_uchar> byte_there, bytes_there;
    Buffer<cl_float> none_there, floats_there;
    {
        Bundle bundle;
        bundle.add(numbers, numbers_there);
        bundle.add(byte, byte_there);
        bundle.add(none, none_there);
        bundle.add(bytes, bytes_there);
        bundle.add(floats, floats_there);
        bundle.send(device);
    }
    CHECK(none_there.size == 0);
    CHECK(none_there.memory() != nullptr);   // a kernel takes it
    device.fill<cl_uchar>(byte_there, 4, 1); // the neighbours stay as they are
    CHECK(downloaded(device, numbers_there) == numbers);
    CHECK(downloaded(device, byte_there) == std::vector<cl_uchar>{4});
    CHECK(downloaded(device, floats_there) == floats);
    CHECK(downloaded(device, bytes_there) == bytes);
}

TEST_CASE("bundle: what was launched before another transfer finds what the first one sent") {
    Device &device = *shared_device();
    constexpr std::size_t size = 50'000;
    const auto work = device.allocate<cl_uint>(std::size_t{1} << 24);
    std::array<Buffer<cl_uint>, 5> sums;
    for (auto &sum : sums) sum = device.allocate<cl_uint>(size);
    const auto scan_into = [&](const Buffer<cl_uint> &from, const Buffer<cl_uint> &to) {
        scan(device, from, to, from.size, ScanKind::inclusive, scan_method_for(device));
    };
    Bundle bundle;
    for (cl_uint round = 0; round < sums.size(); ++round) {
        std::vector<cl_uint> values(size - 100 * round, round + 1);
        Buffer<cl_uint> there;
        bundle.add(values, there);
        scan_into(work, work); // keeps the device busy while the next is sent
        bundle.send(device);
        values.assign(values.size(), 77);
        scan_into(there, sums[round]);
    }
    for (cl_uint round = 0; round < sums.size(); ++round) {
        std::vector<cl_uint> found(size - 100 * round);
        device.download<cl_uint>(found, sums[round]);
        CHECK(found.front() == round + 1);
        CHECK(found.back() == (round + 1) * found.size());
    }
}

TEST_CASE("bundle: of empty vectors alone, or of none") {
    Device &device = *shared_device();
    const std::vector<cl_uint> none;
    Buffer<cl_uint> there;
    Bundle bundle;
    bundle.send(device);
    bundle.add(none, there);
    bundle.send(device);
    CHECK(there.memory() != nullptr);
}

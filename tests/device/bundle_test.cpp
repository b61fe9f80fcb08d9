#include "tests/support/levels.hpp"

#include <bowhist/device/bundle.hpp>
#include <bowhist/ops/scan.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <numeric>

using namespace bowhist;
using namespace bowhist::testing;

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

#include "tests/support/levels.hpp"

#include <bowhist/device/bundle.hpp>

#include <catch2/catch.hpp>

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
    const auto arrived = [&]<typename T>(const Buffer<T> &there) {
        std::vector<T> values(there.size);
        device.download<T>(values, there);
        return values;
    };
    CHECK(arrived(numbers_there) == numbers);
    CHECK(arrived(byte_there) == std::vector<cl_uchar>{4});
    CHECK(arrived(floats_there) == floats);
    CHECK(arrived(bytes_there) == bytes);
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

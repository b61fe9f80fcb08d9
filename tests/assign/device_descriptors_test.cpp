// Descriptors that a device has already: their number may be known to the device alone.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr std::size_t dimensions = 64;
constexpr std::size_t capacity = 300;
constexpr std::size_t images = 3;
constexpr std::size_t k = 40;

/// What the words of the first `count` of the descriptors are, and no other's.
void check_first(const std::shared_ptr<Device> &device, const Level &level,
                 const Descriptors &descriptors, const Vocabulary &vocabulary, std::size_t count) {
    INFO(level.id << " of " << count);
    const auto made = level.prepare(device, vocabulary, {});
    DeviceSearch &search = dynamic_cast<DeviceAssigner &>(*made).search();
    std::vector<cl_uint> image(capacity);
    for (std::size_t row = 0; row < capacity; ++row) image[row] = row * images / capacity;
    const DeviceDescriptors x{device->allocate<float>(capacity * dimensions),
                              device->allocate<cl_uint>(capacity), device->allocate<cl_uint>(1),
                              capacity, dimensions};
    const DeviceWords found{device->allocate<cl_int>(capacity),
                            device->allocate<cl_uint>(images * k),
                            device->allocate<cl_uint>(capacity + 1)};
    device->upload<float>(x.values, descriptors.values);
    device->upload<cl_uint>(x.image, image);
    device->fill<cl_uint>(x.count, static_cast<cl_uint>(count), 1);
    device->fill<cl_uint>(found.histograms, 0, images * k);
    search.assign(x, found);

    std::vector<cl_int> words(capacity);
    std::vector<cl_uint> histograms(images * k);
    device->download(std::span(words), found.words);
    device->download(std::span(histograms), found.histograms);
    std::vector<cl_uint> expected(images * k, 0);
    for (std::size_t row = 0; row < capacity; ++row) {
        const cl_int word = row < count ? nearest(descriptors.row(row), vocabulary) : -1;
        REQUIRE(words[row] == word);
        if (word >= 0) ++expected[image[row] * k + static_cast<std::size_t>(word)];
    }
    CHECK(histograms == expected);
}

} // namespace

TEST_CASE("device: a count that lies on the device is all that is read of the descriptors") {
    const auto without_fp64 = limited_device([](DeviceLimits &limits) { limits.fp64 = false; });
    Vocabulary vocabulary = random_vocabulary(k / 2, dimensions, 31);
    const std::vector<float> once = vocabulary.values; // ties are left to the rule
    vocabulary.values.insert(vocabulary.values.end(), once.begin(), once.end());
    const Descriptors descriptors = nearly_tied(vocabulary, capacity, 32);
    for (const auto &device : {shared_device(), without_fp64})
        for (const Level &level : levels_here())
            for (const std::size_t count : {0, 1, 63, 129, 299, 300})
                if (level.on_device && !level.obstacle(device.get(), dimensions, k))
                    check_first(device, level, descriptors, vocabulary, count);
}

TEST_CASE("device: descriptors of another dimension than the words are refused") {
    const auto device = shared_device();
    const auto made = find_level("gpu2").prepare(device, random_vocabulary(k, dimensions, 33), {});
    const DeviceDescriptors x{device->allocate<float>(10), device->allocate<cl_uint>(1),
                              device->allocate<cl_uint>(1), 1, 10};
    const DeviceWords found{device->allocate<cl_int>(1), device->allocate<cl_uint>(k),
                            device->allocate<cl_uint>(2)};
    DeviceSearch &search = dynamic_cast<DeviceAssigner &>(*made).search();
    CHECK_THROWS_WITH(search.assign(x, found), Catch::Contains("10 dimensions"));
}

TEST_CASE("device: buffers cross from one user of a session to another") {
    Device writer(DeviceOptions{});
    Device reader(DeviceOptions{});
    const auto shared = writer.allocate<cl_uint>(1000);
    writer.fill<cl_uint>(shared, 7, 1000);
    writer.take_launches();
    std::vector<cl_uint> found(1000);
    reader.download(std::span(found), shared);
    CHECK(found == std::vector<cl_uint>(1000, 7));
}

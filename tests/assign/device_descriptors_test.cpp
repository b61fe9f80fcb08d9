// Descriptors that a device has already: their number may be known to the device alone.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr std::size_t dimensions = 64;
constexpr std::size_t capacity = 300;
constexpr std::size_t bags = 3;
constexpr std::size_t k = 40;

std::uint32_t bag_of(std::size_t row) {
    return static_cast<std::uint32_t>(row * bags / capacity);
}

/// The descriptors on the device, of which it knows that the first `count` are there.
DeviceDescriptors upload(Device &device, const Descriptors &descriptors, std::size_t count) {
    std::vector<cl_uint> bag(capacity);
    for (std::size_t row = 0; row < capacity; ++row) bag[row] = bag_of(row);
    return {uploaded(device, descriptors.values), uploaded(device, bag),
            uploaded<cl_uint>(device, {static_cast<cl_uint>(count)}), capacity, dimensions};
}

std::vector<cl_int> expected_words(const Descriptors &descriptors, const Vocabulary &vocabulary,
                                   std::size_t count) {
    std::vector<cl_int> words(capacity, -1);
    for (std::size_t row = 0; row < count; ++row)
        words[row] = nearest(descriptors.row(row), vocabulary);
    return words;
}

std::vector<cl_uint> histograms_of(const std::vector<cl_int> &words) {
    std::vector<cl_uint> histograms(bags * k, 0);
    for (std::size_t row = 0; row < words.size(); ++row)
        if (words[row] >= 0) ++histograms[bag_of(row) * k + static_cast<std::size_t>(words[row])];
    return histograms;
}

/// Half of the words are others once more: such ties are left to the rule. The first word is there
/// 18 times: some screens settle ties themselves, but not among 18 words.
Vocabulary doubled_vocabulary() {
    Vocabulary vocabulary = random_vocabulary(k / 2, dimensions, 31);
    for (std::size_t i = 0; i < k / 2; ++i) {
        const std::size_t word = i < 17 ? 0 : i;
        for (std::size_t d = 0; d < dimensions; ++d)
            vocabulary.values.push_back(vocabulary.values[word * dimensions + d]);
    }
    return vocabulary;
}

/// What the words of the first `count` of the descriptors are, and no other's.
void check_first(const std::shared_ptr<Device> &device, const Level &level,
                 const Descriptors &descriptors, const Vocabulary &vocabulary, std::size_t count) {
    INFO(level.id << " of " << count);
    const auto made = level.prepare(device, vocabulary, {});
    DeviceSearch &search = made->on_device()->search();
    const DeviceDescriptors x = upload(*device, descriptors, count);
    const DeviceWords found{device->allocate<cl_int>(capacity), device->allocate<cl_uint>(bags * k),
                            device->allocate<cl_uint>(capacity + 1)};
    device->fill<cl_uint>(found.histograms, 0, bags * k);
    search.assign(x, found);

    std::vector<cl_int> words(capacity);
    std::vector<cl_uint> histograms(bags * k);
    device->download(std::span(words), found.words);
    device->download(std::span(histograms), found.histograms);
    const std::vector<cl_int> expected = expected_words(descriptors, vocabulary, count);
    CHECK(words == expected);
    CHECK(histograms == histograms_of(expected));
}

} // namespace

TEST_CASE("device: a count that lies on the device is all that is read of the descriptors") {
    const auto without_fp64 = limited_device([](DeviceLimits &limits) { limits.fp64 = false; });
    const Vocabulary vocabulary = doubled_vocabulary();
    const Descriptors descriptors = nearly_tied(vocabulary, capacity, 32);
    for (const auto &device : {shared_device(), without_fp64})
        for (const Level &level : levels_here())
            for (const std::size_t count : {0, 1, 63, 129, 299, 300})
                if (level.on_device && !level.obstacle(device.get(), dimensions, k))
                    check_first(device, level, descriptors, vocabulary, count);
}

TEST_CASE("device: counts that are started before others are finished are those of each alone") {
    const auto without_fp64 = limited_device([](DeviceLimits &limits) { limits.fp64 = false; });
    const Vocabulary vocabulary = doubled_vocabulary();
    const std::array descriptors = {nearly_tied(vocabulary, capacity, 34),
                                    random_descriptors(capacity, dimensions, 35)};
    constexpr std::array<std::size_t, 2> counts = {capacity, 200};
    for (const auto &device : {shared_device(), without_fp64}) {
        const std::array there = {upload(*device, descriptors[0], counts[0]),
                                  upload(*device, descriptors[1], counts[1])};
        for (const Level &level : levels_here()) {
            if (!level.on_device || level.obstacle(device.get(), dimensions, k)) continue;
            INFO(level.id);
            const auto made = level.prepare(device, vocabulary, {});
            DeviceAssigner &assigner = *made->on_device();
            std::array<DeviceAssigner::Counting, 2> turns;
            const auto start = [&](std::size_t turn) {
                assigner.start(turns[turn], there[turn], bags);
            };
            const auto check = [&](std::size_t turn) {
                CHECK(assigner.finish(turns[turn]).counts ==
                      histograms_of(expected_words(descriptors[turn], vocabulary, counts[turn])));
            };
            std::array<std::uint64_t, 2> unproven{};
            for (const std::size_t turn : {0, 1}) {
                const std::uint64_t before = made->report().unproven;
                start(turn);
                check(turn);
                unproven[turn] = made->report().unproven - before;
                CHECK(unproven[turn] > 0);
            }
            const double noted = made->report().wall_seconds;
            const auto before_all = std::chrono::steady_clock::now();
            start(0);
            const auto started = std::chrono::steady_clock::now();
            std::this_thread::sleep_for(std::chrono::milliseconds(20)); // under way meanwhile
            start(1);
            // Others use the assigner between.
            const Batch batch{descriptors[0].values, {}, 1};
            const std::uint64_t before = made->report().unproven;
            CHECK(made->run(batch).words == expected_words(descriptors[0], vocabulary, capacity));
            CHECK(made->report().unproven == before + unproven[0]);
            check(0);
            start(0);
            check(1);
            const auto nearly_all = std::chrono::steady_clock::now();
            check(0);
            const auto after_all = std::chrono::steady_clock::now();
            const double wall = made->report().wall_seconds - noted;
            CHECK(wall > std::chrono::duration<double>(nearly_all - started).count());
            CHECK(wall < std::chrono::duration<double>(after_all - before_all).count());
            // In all the first rows were assigned four times, the second ones twice.
            CHECK(made->report().rows == 4 * counts[0] + 2 * counts[1]);
            CHECK(made->report().unproven == 4 * unproven[0] + 2 * unproven[1]);
        }
    }
}

TEST_CASE("device: descriptors of another dimension than the words are refused") {
    const auto device = shared_device();
    const auto made = find_level("gpu2").prepare(device, random_vocabulary(k, dimensions, 33), {});
    const DeviceDescriptors x{device->allocate<float>(10), device->allocate<cl_uint>(1),
                              device->allocate<cl_uint>(1), 1, 10};
    const DeviceWords found{device->allocate<cl_int>(1), device->allocate<cl_uint>(k),
                            device->allocate<cl_uint>(2)};
    DeviceSearch &search = made->on_device()->search();
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

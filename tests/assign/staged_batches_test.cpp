// Batches on a device with memory of its own: uploaded through pinned memory, ahead of the launches
// that read them, and kept there while they stay. Any device can stand in for one.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <atomic>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("device: what passes through pinned memory arrives whole, at any size and place") {
    Device device({.staged = true});
    for (const std::size_t size : {1UL, 4095UL, 262144UL, 262145UL, 9999999UL}) {
        std::vector<cl_uint> sent(size);
        for (std::size_t i = 0; i < size; ++i) sent[i] = static_cast<cl_uint>(i * 2654435761U);
        const auto buffer = device.allocate<cl_uint>(size + 3);
        device.fill<cl_uint>(buffer, 1, size + 3);
        device.upload<cl_uint>(buffer, sent, 2);
        std::vector<cl_uint> found(size + 3);
        device.download(std::span(found), buffer);
        sent.insert(sent.begin(), 2, 1);
        sent.push_back(1);
        CHECK(found == sent);
    }
}

TEST_CASE("device: a thread that waits for an upload takes up none of its caller's other work") {
    const std::vector<cl_uint> values(std::size_t{1} << 20);
    struct Thread {
        Device device = Device({.staged = true});
        Buffer<cl_uint> buffer = device.allocate<cl_uint>(std::size_t{1} << 20);
        int depth = 0;
    };
    tbb::enumerable_thread_specific<Thread> threads;
    std::atomic<int> taken_up = 0;
    tbb::parallel_for(0, 64, [&](int /*image*/) {
        Thread &own = threads.local();
        taken_up += own.depth++;
        own.device.upload<cl_uint>(own.buffer, values);
        --own.depth;
    });
    CHECK(taken_up == 0);
}

TEST_CASE("device: launches read what was uploaded for them, however many follow each other") {
    const auto device = std::make_shared<Device>(DeviceOptions{.staged = true});
    const Vocabulary vocabulary = random_vocabulary(30, 64, 41);
    const Descriptors descriptors = random_descriptors(30011, 64, 42);
    std::vector<std::uint32_t> bag(30011);
    for (std::size_t row = 0; row < bag.size(); ++row) bag[row] = row % 5;
    const auto serial = find_level("serial").prepare(nullptr, vocabulary, {});
    const Assignment expected = serial->run({descriptors.values, bag, 5});
    for (const char *id : {"gpu1", "gpu5", "gpu6"})
        for (const std::size_t batch : {5000, 8192, 30011, 40000}) {
            INFO(id << " in launches of " << batch);
            const auto assigner = find_level(id).prepare(device, vocabulary, {.batch = batch});
            for (int again = 0; again < 2; ++again) {
                const Assignment found = assigner->run({descriptors.values, bag, 5});
                CHECK(found.words == expected.words);
                CHECK(found.histograms == expected.histograms);
            }
        }
}

TEST_CASE("device: a batch that finds little room runs again and again") {
    DeviceOptions options;
    options.staged = true;
    options.limits = shared_device()->limits();
    options.limits->free_bytes = 300 << 10; // of 1024 rows, not of 2048
    const auto device = std::make_shared<Device>(options);
    const Vocabulary vocabulary = random_vocabulary(30, 64, 48);
    const Descriptors descriptors = random_descriptors(9000, 64, 49);
    const auto assigner = find_level("gpu2").prepare(device, vocabulary, {.batch = 4096});
    const auto expected = assign(find_level("serial"), nullptr, descriptors, vocabulary).words;
    for (int again = 0; again < 2; ++again)
        CHECK(assigner->run({descriptors.values, {}, 1}).words == expected);
}

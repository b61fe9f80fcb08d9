// What a device's limits make of a level: passes, small groups, no fp64; and how often it launches.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"

#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

void check_by_rule(const Assignment &result, const Descriptors &descriptors,
                   const Vocabulary &vocabulary) {
    for (std::size_t row = 0; row < descriptors.size(); ++row)
        REQUIRE(result.words[row] == nearest(descriptors.row(row), vocabulary));
}

} // namespace

TEST_CASE("device: 64 KiB of constant memory take as many passes as k demands") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.constant_bytes = 65536; });
    const Descriptors descriptors = random_descriptors(300, 64, 1);
    for (const auto &[k, passes] : {std::pair{256, 1U}, {257, 2U}, {1000, 4U}}) {
        INFO("k " << k);
        const Vocabulary vocabulary = random_vocabulary(static_cast<std::size_t>(k), 64, 2);
        const auto assigner = find_level("gpu5").prepare(device, vocabulary, {});
        check_by_rule(assigner->run({descriptors.values, {}, 1}), descriptors, vocabulary);
        CHECK(assigner->report().kernels.at("assign").launches == passes);
        CHECK(assigner->report().device_seconds > 0);
        CHECK(assigner->report().device_seconds <= assigner->report().wall_seconds);
    }
}

TEST_CASE("device: ties across two passes go to the lower word") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.constant_bytes = 65536; });
    const Vocabulary vocabulary = words_repeated(random_vocabulary(256, 64, 3), 2);
    const Descriptors descriptors = random_descriptors(200, 64, 4);
    check_by_rule(assign(find_level("gpu5"), device, descriptors, vocabulary), descriptors,
                  vocabulary);
}

TEST_CASE("device: little local memory means smaller groups, too little an obstacle") {
    const Vocabulary vocabulary = random_vocabulary(33, 64, 5);
    const Descriptors descriptors = random_descriptors(130, 64, 6);
    for (const std::uint64_t bytes : {32768, 16384, 4096, 2048}) {
        const auto device =
            limited_device([&](DeviceLimits &limits) { limits.local_bytes = bytes; });
        for (const char *id : {"gpu4", "gpu5"}) {
            INFO(id << " with " << bytes << " bytes");
            REQUIRE_FALSE(find_level(id).obstacle(device.get(), 64, 33));
            check_by_rule(assign(find_level(id), device, descriptors, vocabulary), descriptors,
                          vocabulary);
        }
    }
    const auto device = limited_device([](DeviceLimits &limits) { limits.local_bytes = 2047; });
    const auto obstacle = find_level("gpu4").obstacle(device.get(), 64, 33);
    REQUIRE(obstacle);
    CHECK_THAT(*obstacle, Catch::Contains("local memory"));
    CHECK_FALSE(find_level("gpu3").obstacle(device.get(), 64, 33));
}

TEST_CASE("device: a batch larger than an allocation is cut to what fits") {
    // 4096 bytes hold four rows of 64 floats, four times over.
    const auto device =
        limited_device([](DeviceLimits &limits) { limits.allocation_bytes = 4096; });
    const Vocabulary vocabulary = random_vocabulary(20, 64, 21);
    const Descriptors descriptors = random_descriptors(50, 64, 22);
    const auto assigner = find_level("gpu2").prepare(device, vocabulary, {.batch = 1000});
    check_by_rule(assigner->run({descriptors.values, {}, 1}), descriptors, vocabulary);
    CHECK(assigner->report().kernels.at("assign").launches == 13);
}

TEST_CASE("device: where memory is short, batches are halved, counted once, and it is said") {
    // 300 KiB: not 4096 or 2048 rows of 64 floats, but 1024.
    const auto device = limited_device([](DeviceLimits &limits) { limits.free_bytes = 300 << 10; });
    const Vocabulary vocabulary = words_repeated(random_vocabulary(50, 64, 23), 2);
    const Descriptors descriptors = nearly_tied(vocabulary, 5000, 24);
    const Assignment expected = assign(find_level("serial"), nullptr, descriptors, vocabulary);
    for (const Level &level : levels_here()) {
        if (!level.on_device) continue;
        INFO("level " << level.id);
        Listener listener;
        const auto assigner =
            level.prepare(device, vocabulary, {.batch = 4096, .observer = &listener});
        const Assignment result = assigner->run({descriptors.values, {}, 1});
        CHECK(result.words == expected.words);
        CHECK(result.histograms == expected.histograms);
        CHECK(assigner->report().rows == 5000);
        REQUIRE(listener.warnings.size() == 2);
        CHECK_THAT(listener.warnings[0],
                   Catch::Contains("4096") && Catch::Contains("continuing with 2048"));
        CHECK_THAT(listener.warnings[1], Catch::Contains("continuing with 1024"));
        const Assignment again = assigner->run({descriptors.values, {}, 1});
        CHECK(again.histograms == expected.histograms);
        CHECK(listener.warnings.size() == 2);
    }
}

TEST_CASE("device: memory that is short in the middle of a run halves what is left") {
    // The longer run of two grows the buffers: those of the shorter one fit, the others do not.
    const auto device = limited_device([](DeviceLimits &limits) { limits.free_bytes = 600 << 10; });
    const Vocabulary vocabulary = random_vocabulary(50, 64, 25);
    const Descriptors descriptors = random_descriptors(5000, 64, 26);
    const auto assigner = find_level("gpu2").prepare(device, vocabulary, {.batch = 4096});
    const std::span<const float> values = descriptors.values;
    check_by_rule(assigner->run({values.first(2000 * 64), {}, 1}),
                  {64, {values.begin(), values.begin() + 2000 * 64}}, vocabulary);
    check_by_rule(assigner->run({values, {}, 1}), descriptors, vocabulary);
    CHECK(assigner->report().kernels.at("assign").launches == 1 + 3);
}

TEST_CASE("device: memory for no batch at all is an error that says what to do") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.free_bytes = 100 << 10; });
    const Vocabulary vocabulary = random_vocabulary(50, 64, 27);
    const Descriptors descriptors = random_descriptors(5000, 64, 28);
    const auto assigner = find_level("gpu1").prepare(device, vocabulary, {});
    CHECK_THROWS_WITH(assigner->run({descriptors.values, {}, 1}),
                      Catch::Contains("CL_MEM_OBJECT_ALLOCATION_FAILURE") &&
                          Catch::Contains("--kernel simd"));
}

TEST_CASE("device: histograms that no buffer holds are refused with their size") {
    const auto device =
        limited_device([](DeviceLimits &limits) { limits.allocation_bytes = 65536; });
    const Vocabulary vocabulary = random_vocabulary(100, 64, 29);
    const Descriptors descriptors = random_descriptors(200, 64, 30);
    const std::vector<std::uint32_t> bag(200, 0);
    const auto assigner = find_level("gpu1").prepare(device, vocabulary, {});
    CHECK_NOTHROW(assigner->run({descriptors.values, bag, 163}));
    CHECK_THROWS_WITH(assigner->run({descriptors.values, bag, 164}),
                      Catch::Contains("65600 bytes") && Catch::Contains("--batch"));
}

TEST_CASE("device: without fp64, or in small groups, the host decides the same words and counts") {
    const auto device =
        GENERATE(limited_device([](DeviceLimits &limits) { limits.fp64 = false; }),
                 limited_device([](DeviceLimits &limits) { limits.work_group_size = 32; }));
    const Vocabulary vocabulary = words_repeated(random_vocabulary(50, 64, 7), 2);
    const Descriptors descriptors = nearly_tied(vocabulary, 300, 8);
    for (const Level &level : levels_here()) {
        if (!level.on_device || level.obstacle(device.get(), 64, 100)) continue;
        INFO("level " << level.id);
        const auto assigner = level.prepare(device, vocabulary, {.batch = 128});
        const Assignment result = assigner->run({descriptors.values, {}, 1});
        check_by_rule(result, descriptors, vocabulary);
        CHECK(result.histograms ==
              assign(find_level("serial"), nullptr, descriptors, vocabulary).histograms);
        CHECK(assigner->report().unproven > 0);
        CHECK(assigner->report().kernels.count("decide") == 0);
    }
}

TEST_CASE("device: where loops end early words come in passes, or with a reason") {
    const Descriptors descriptors = random_descriptors(200, 64, 31);
    const Vocabulary vocabulary = random_vocabulary(1000, 64, 32);
    const auto device = limited_device([](DeviceLimits &limits) { limits.loop_steps = 65409; });
    for (const char *id : {"gpu1", "gpu2", "gpu3", "gpu4", "gpu5"}) {
        INFO("level " << id);
        const auto assigner = find_level(id).prepare(device, vocabulary, {});
        check_by_rule(assigner->run({descriptors.values, {}, 1}), descriptors, vocabulary);
        CHECK(assigner->report().kernels.at("assign").launches >= 3); // 495 words a pass at most
    }
    const auto few = limited_device([](DeviceLimits &limits) { limits.loop_steps = 130; });
    for (const Level &level : levels_here()) {
        if (!level.on_device) continue;
        const auto obstacle = level.obstacle(few.get(), 64, 1000);
        REQUIRE(obstacle);
        CHECK_THAT(*obstacle, Catch::Contains("ends loops after 130 steps"));
    }
}

TEST_CASE("device: groups too small for gpu4 and gpu5 are an obstacle, and the reason says so") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.work_group_size = 7; });
    for (const char *id : {"gpu4", "gpu5"})
        CHECK_THAT(find_level(id).obstacle(device.get(), 64, 33).value_or("none"),
                   Catch::Contains("groups of 8") && Catch::Contains("allows 7"));
}

TEST_CASE("device: an interruption stops between launches") {
    Listener stopped;
    stopped.stop = true;
    const Vocabulary vocabulary = random_vocabulary(10, 64, 13);
    const Descriptors descriptors = random_descriptors(100, 64, 14);
    for (const Level &level : levels_here()) {
        const auto assigner = level.prepare(shared_device(), vocabulary,
                                            {.batch = 0, .threads = 0, .observer = &stopped});
        CHECK_THROWS_WITH(assigner->run({descriptors.values, {}, 1}), "interrupted");
    }
}

TEST_CASE("device: many bags share one launch") {
    const Vocabulary vocabulary = random_vocabulary(64, 64, 9);
    const Descriptors descriptors = random_descriptors(64 * 50, 64, 10);
    std::vector<std::uint32_t> bag(descriptors.size());
    for (std::size_t row = 0; row < bag.size(); ++row)
        bag[row] = static_cast<std::uint32_t>(row / 50);
    for (const Level &level : levels_here()) {
        if (!level.on_device) continue;
        INFO("level " << level.id);
        const auto assigner = level.prepare(shared_device(), vocabulary, {});
        assigner->run({descriptors.values, bag, 64});
        CHECK(assigner->report().kernels.at("assign").launches == 1);
        CHECK(assigner->report().kernels.at("assign").seconds > 0);
        const bool transposes = level.takes_group && level.id != "gpu1";
        CHECK(assigner->report().kernels.contains("transpose") == transposes);
    }
}

TEST_CASE("device: a level says what it cannot take") {
    const auto obstacle = find_level("gpu3").obstacle(shared_device().get(), 61, 10);
    REQUIRE(obstacle);
    CHECK_THAT(*obstacle, Catch::Contains("multiples of 4"));
    const auto narrow = limited_device([](DeviceLimits &limits) { limits.work_group_size = 128; });
    CHECK_FALSE(find_level("gpu2").obstacle(narrow.get(), 64, 10)); // its transpose narrows, too
    CHECK_FALSE(find_level("gpu1").obstacle(narrow.get(), 64, 10));
    const auto small =
        limited_device([](DeviceLimits &limits) { limits.allocation_bytes = 65536; });
    CHECK_FALSE(find_level("gpu1").obstacle(small.get(), 64, 256));
    CHECK(find_level("gpu1").obstacle(small.get(), 64, 257).has_value());
    CHECK(find_level("gpu1").obstacle(nullptr, 64, 10).has_value());
    CHECK_FALSE(find_level("openmp").obstacle(nullptr, 61, 10));
}

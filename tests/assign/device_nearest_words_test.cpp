// The nearest words of each row by a device: those of the rule, whatever float32 proves.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/nearest_by_rule.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/assign/device/device_nearest_words.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <limits>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

struct Found {
    std::vector<std::int32_t> words;
    AssignmentReport report;
};

Found find(const std::shared_ptr<Device> &device, const Vocabulary &words,
           std::span<const float> rows, std::size_t m, const AssignOptions &options = {}) {
    const NearestWords host(words, m);
    DeviceNearestWords nearest(device, words, host, options);
    std::vector<std::int32_t> found = nearest.find(rows);
    return {std::move(found), nearest.report()};
}

/// Of rows on the device, in the rule's order there.
Found find_there(const std::shared_ptr<Device> &device, const Vocabulary &words,
                 std::span<const float> rows, std::size_t m) {
    const NearestWords host(words, m);
    DeviceNearestWords nearest(device, words, host, {});
    const std::size_t count = rows.size() / words.dimensions;
    const auto there = nearest.find(uploaded(*device, rows), count);
    nearest.take_times(); // of the shared device: none is left for other tests
    std::vector<std::int32_t> found(count * m);
    device->download(std::span(found), there);
    return {std::move(found), nearest.report()};
}

/// A device with this text in place of a part of the kernel.
std::shared_ptr<Device> with_planted(const TemporaryFolder &kernels, const std::string &part,
                                     const std::string &text) {
    std::string source(embedded_kernels().at("nearest_words.cl"));
    const auto at = source.find(part);
    REQUIRE(at != std::string::npos);
    std::ofstream(kernels / "nearest_words.cl") << source.replace(at, part.size(), text);
    return std::make_shared<Device>(DeviceOptions{.kernel_dir = kernels.path()});
}

} // namespace

TEST_CASE("device nearest words: those of the rule, also where words tie",
          "[oclgrind][nearest_words.cl]") {
    for (const std::size_t m : {1, 4})
        for (const int values : {2, 1 << 20}) {
            INFO(m << " of 9 words, " << values << " values");
            const Vocabulary words{3, draw_whole(9 * 3, values, 1, 1)};
            const auto rows = draw_whole(5 * 3, values, 1, 2);
            CHECK(find(shared_device(), words, rows, m).words == nearest_by_rule(rows, words, m));
            CHECK(find_there(shared_device(), words, rows, m).words ==
                  nearest_by_rule(rows, words, m));
        }
}

TEST_CASE("device nearest words: m, k and D at their limits") {
    for (const std::size_t k : {2, 65, 66, 700})
        for (const std::size_t dimensions : {1, 52, 256, 257})
            for (const float unit : {1.0F, 1e-30F, 3e17F}) {
                const Vocabulary words{dimensions, draw_whole(k * dimensions, 1 << 20, unit, 1)};
                const auto rows = draw_whole(70 * dimensions, 1 << 20, unit, 2);
                for (const std::size_t m : {1, 2, 5, 64}) {
                    if (m >= k) continue;
                    INFO(m << " of " << k << " words of " << dimensions << ", " << unit);
                    const Found found = find(shared_device(), words, rows, m, {.batch = 30});
                    CHECK(found.words == nearest_by_rule(rows, words, m));
                    CHECK(found.report.rows == 70);
                    CHECK(found.report.kernels.at("find_nearest").launches == 3);
                }
            }
}

TEST_CASE("device nearest words: float32 proves most rows, and none at a tie") {
    const Vocabulary words = random_vocabulary(300, 52, 1);
    const auto rows = random_descriptors(500, 52, 2).values;
    const Found found = find(shared_device(), words, rows, 5);
    CHECK(found.words == nearest_by_rule(rows, words, 5));
    CHECK(found.report.unproven < 5);
    // of pairs of equal words, an odd number ends between two that tie
    const Vocabulary pairs = words_repeated(words, 2);
    CHECK(find(shared_device(), pairs, rows, 5).report.unproven == 500);
    CHECK(find(shared_device(), pairs, rows, 6).report.unproven < 5);
    for (const std::size_t m : {5, 6})
        CHECK(find(shared_device(), pairs, rows, m).words == nearest_by_rule(rows, pairs, m));
}

TEST_CASE("device nearest words: a unit in the last place decides, and a small bound is noticed") {
    const Vocabulary words = random_vocabulary(60, 64, 1);
    const auto rows = nearly_tied(words, 3000, 2).values;
    const auto expected = nearest_by_rule(rows, words, 1);
    CHECK(find(shared_device(), words, rows, 1).words == expected);
    CHECK(find(shared_device(), words, rows, 1, {.bound_scale = 0}).words != expected);
}

TEST_CASE("device nearest words: rows that are not finite have the lowest") {
    const Vocabulary words{2, draw_whole(40, 9, 1, 5)};
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> rows{1, 2, std::nanf(""), 0, infinity, 1, 3, -1, -infinity, infinity};
    CHECK(find(shared_device(), words, rows, 3).words == NearestWords(words, 3).find(rows));
    CHECK(find(shared_device(), words, {}, 3).words.empty());
}

TEST_CASE("device nearest words: a kernel whose loop ends early proves nothing") {
    const TemporaryFolder kernels;
    const auto device = with_planted(kernels, "j < k; j++", "j + 1 < k; j++");
    const Vocabulary words = random_vocabulary(300, 52, 1);
    const auto rows = random_descriptors(50, 52, 2).values;
    const Found found = find(device, words, rows, 5);
    CHECK(found.words == nearest_by_rule(rows, words, 5));
    CHECK(found.report.unproven == 50);
}

TEST_CASE("device nearest words: a broken kernel is an error, no wrong word") {
    const Vocabulary words = random_vocabulary(300, 52, 1);
    const auto [part, text] =
        GENERATE(std::pair{"stand ? nearest.word[i] : -1", "nearest.word[i] + (int)k"},
                 std::pair{"stand ? nearest.word[i] : -1", "nearest.word[0]"},
                 std::pair{"stand ? nearest.word[i] : -1", "(nearest.word[i] + 1) % (int)k"},
                 std::pair{"i < DIMENSIONS; i++) {", "i + 1 < DIMENSIONS; i++) {"});
    const TemporaryFolder kernels;
    const auto device = with_planted(kernels, part, text);
    CHECK_THROWS_WITH(find(device, words, {}, 5),
                      Catch::Contains("repair the one in --kernel-dir"));
}

TEST_CASE("device nearest words: where memory is short, launches take half as many rows") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.free_bytes = 300 << 10; });
    const Vocabulary words = random_vocabulary(50, 64, 23);
    const auto rows = random_descriptors(5000, 64, 24).values;
    Listener listener;
    CHECK(find(device, words, rows, 3, {.observer = &listener}).words ==
          nearest_by_rule(rows, words, 3));
    CHECK_FALSE(listener.warnings.empty());
}

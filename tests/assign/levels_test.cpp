// Every level, on the first OpenCL device, gives the rule's words: the project's first promise.
#include "tests/support/adversarial.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/words_by_rule.hpp"

#include <bowhist/device/kernel_source.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// More words, fewer rows: a slow level on a CPU shall not take all day.
std::size_t rows_for(const Kind &kind) {
    return kind.words > 64 ? 500 : 2000;
}

void check_every_level(const Descriptors &descriptors, const Vocabulary &vocabulary,
                       const AssignOptions &options = {}) {
    const auto expected = words_by_rule(descriptors, vocabulary);
    std::vector<std::uint32_t> counts(vocabulary.size(), 0);
    for (const std::int32_t word : expected) ++counts[static_cast<std::size_t>(word)];
    for (const Level &level : levels()) {
        if (level.obstacle(shared_device().get(), vocabulary.dimensions, vocabulary.size()))
            continue;
        INFO("level " << level.id << ", n " << descriptors.size() << ", D " << vocabulary.dimensions
                      << ", k " << vocabulary.size());
        const Assignment result = assign(level, shared_device(), descriptors, vocabulary, options);
        CHECK(result.words == expected);
        CHECK(result.histograms == counts);
    }
}

} // namespace

TEST_CASE("levels: the table is the ladder, and every level runs on this device") {
    REQUIRE(shared_device());
    std::vector<std::string> ids;
    for (const Level &level : levels()) {
        ids.emplace_back(level.id);
        if (level.id != "gpu7") CHECK_FALSE(level.obstacle(shared_device().get(), 64, 256));
    }
    CHECK(ids == std::vector<std::string>{"serial", "openmp", "simd", "gpu1", "gpu2", "gpu3",
                                          "gpu4", "gpu5", "gpu6", "gpu7"});
}

TEST_CASE("levels: a prepared one names the file that it built") {
    const auto file = [](std::string_view level, const Vocabulary &vocabulary) {
        return find_level(level).prepare(shared_device(), vocabulary, {})->report().source;
    };
    const Vocabulary words = random_vocabulary(256, 64, 1);
    CHECK(file("simd", words).empty());
    for (const char *level : {"gpu1", "gpu5"})
        CHECK(file(level, words) == level + std::string(".cl"));
    CHECK(embedded_kernels().contains(file("gpu6", words)));
    const DeviceInfo &info = shared_device()->info();
    if (!info.avx512_vnni || info.preferred_float_vector < 16 || !shared_device()->limits().fp64)
        return;
    CHECK(file("gpu6", words) == "gpu6_cpu_16bit.cl");
    CHECK(file("gpu6", random_vocabulary(16, 64, 1)) == "gpu6_cpu.cl");
    CHECK(file("gpu6", random_vocabulary(256, 64, 1, 1e30F)) == "gpu6_cpu.cl"); // integers cannot
}

TEST_CASE("levels: any number of descriptors and words") {
    for (const std::size_t n : {0, 1, 63, 64, 65, 1000})
        for (const std::size_t k : {1, 2, 63, 64, 65, 257})
            check_every_level(random_descriptors(n, 64, 1), random_vocabulary(k, 64, 2));
}

TEST_CASE("levels: more words than sixteen bits count") {
    const Vocabulary vocabulary = random_vocabulary(70'000, 16, 22);
    Descriptors descriptors = nearly_tied(vocabulary, 20, 23);
    const auto last = vocabulary.row(69'999);
    std::ranges::copy(last, descriptors.values.begin());
    check_every_level(descriptors, vocabulary);
    REQUIRE(words_by_rule(descriptors, vocabulary).front() == 69'999);
}

TEST_CASE("levels: a million words") {
    const Vocabulary vocabulary = random_vocabulary(1'000'000, 4, 24);
    check_every_level(random_descriptors(5, 4, 25), vocabulary);
}

TEST_CASE("levels: any dimension that a level takes") {
    for (const std::size_t dimensions : {1, 3, 4, 20, 61, 64, 128, 512})
        check_every_level(random_descriptors(100, dimensions, 3),
                          random_vocabulary(33, dimensions, 4));
}

TEST_CASE("levels: duplicated centroids go to the lowest word") {
    // 128 apart, one work-item has both: it alone decides the tie
    for (const std::int32_t apart : {40, 128}) {
        const auto vocabulary =
            words_repeated(random_vocabulary(static_cast<std::size_t>(apart), 64, 7), 3);
        const Descriptors descriptors = random_descriptors(500, 64, 8);
        check_every_level(descriptors, vocabulary);
        for (const std::int32_t word : words_by_rule(descriptors, vocabulary))
            REQUIRE(word < apart);
    }
}

TEST_CASE("levels: huge and tiny values") {
    for (const float scale : {1e-45F, 1e-40F, 1e-30F, 1e-22F, 1e-19F, 1e15F, 1e19F, 1e30F, 3e37F})
        check_every_level(random_descriptors(200, 64, 11, scale),
                          random_vocabulary(50, 64, 12, scale));
    check_every_level(random_descriptors(200, 64, 13, 1e-30F),
                      random_vocabulary(50, 64, 14, 1e30F));
    check_every_level(Descriptors{64, std::vector<float>(640, 0.0F)},
                      Vocabulary{64, std::vector<float>(640, 0.0F)});
}

TEST_CASE("exactness: every level gives the rule's words, whatever the kind of data") {
    for (const Kind &kind : kinds()) {
        const Vocabulary words = draw_words(kind, 1);
        const Descriptors rows = draw_rows(kind, words, rows_for(kind), 2);
        INFO(kind.name);
        CHECK(words_by_vector_rule(rows, words) == words_by_rule(rows, words));
        check_every_level(rows, words);
    }
}

TEST_CASE("exactness: a few rows of each kind, for devices that are slow", "[.]") {
    for (const Kind &kind : kinds()) {
        const Vocabulary words = draw_words(kind, 7);
        INFO(kind.name);
        check_every_level(draw_rows(kind, words, 70, 8), words);
    }
}

TEST_CASE("exactness: without a bound every screening level is wrong somewhere") {
    std::map<std::string_view, int> fooled;
    for (const Kind &kind : kinds()) {
        if (kind.name != "nearly tied" && kind.name != "one ulp apart") continue;
        const Vocabulary words = draw_words(kind, 3);
        const Descriptors rows = draw_rows(kind, words, rows_for(kind), 4);
        const auto expected = words_by_rule(rows, words);
        for (const Level &level : levels_here())
            if (!level.obstacle(shared_device().get(), kind.dimensions, kind.words))
                fooled[level.id] +=
                    assign(level, shared_device(), rows, words, {.bound_scale = 1e-3}).words !=
                            expected
                        ? 1
                        : 0;
    }
    for (const auto &[id, kinds_wrong] : fooled) {
        INFO("level " << id);
        CHECK((kinds_wrong > 0) == (id != "serial"));
    }
}

TEST_CASE("exactness: rows do not depend on how many are drawn") {
    for (const Kind &kind : kinds()) {
        const Vocabulary words = draw_words(kind, 5);
        CHECK(words.size() == kind.words);
        const Descriptors few = draw_rows(kind, words, 300, 6);
        const Descriptors many = draw_rows(kind, words, 700, 6);
        CHECK(std::equal(few.values.begin(), few.values.end(), many.values.begin()));
        CHECK(std::ranges::all_of(many.values, [](float value) { return std::isfinite(value); }));
        CHECK(draw_rows(kind, words, 300, 6, 1).values != few.values);
    }
}

TEST_CASE("levels: batches of any size give the same words and counts") {
    const Vocabulary vocabulary = random_vocabulary(70, 64, 15);
    for (const std::size_t batch : {1, 7, 64, 100'000})
        check_every_level(random_descriptors(130, 64, 16), vocabulary, {.batch = batch});
}

TEST_CASE("levels: rows are counted for their own bag") {
    const Vocabulary vocabulary = random_vocabulary(30, 64, 17);
    const Descriptors descriptors = random_descriptors(300, 64, 18);
    std::vector<std::uint32_t> bag(300);
    for (std::size_t row = 0; row < 300; ++row) bag[row] = row < 100 ? 0 : row < 101 ? 2 : 3;
    const auto expected = words_by_rule(descriptors, vocabulary);
    for (const Level &level : levels_here()) {
        INFO("level " << level.id);
        const auto assigner = level.prepare(shared_device(), vocabulary, {.batch = 77});
        const Assignment result = assigner->run({descriptors.values, bag, 4});
        std::vector<std::uint32_t> counts(4 * 30, 0);
        for (std::size_t row = 0; row < 300; ++row)
            ++counts[bag[row] * 30 + static_cast<std::size_t>(expected[row])];
        CHECK(result.histograms == counts);
    }
}

TEST_CASE("levels: an unknown id is refused, and the others are named") {
    CHECK_THROWS_WITH(find_level("gpu9"), Catch::Contains("gpu9") && Catch::Contains("gpu5"));
}

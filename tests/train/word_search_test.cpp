// A training's words and sums: a device finds and adds up what the host does, bit for bit.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/train/three_runs.hpp"

#include <bowhist/assign/device/matrix_screen.hpp>
#include <bowhist/device/kernel_source.hpp>
#include <bowhist/train/device_word_search.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// For five words.
std::unique_ptr<WordSearch> search_by_kernels_in(const TemporaryFolder &folder,
                                                 const DescriptorRows &rows) {
    const auto device = std::make_shared<Device>(DeviceOptions{.kernel_dir = folder.path()});
    Observer silent;
    return make_word_search(rows, on_device("gpu1", device),
                            random_vocabulary(5, rows.dimensions(), 4), silent, true);
}

} // namespace

TEST_CASE("train: a device adds up what the host does, bit for bit") {
    if (leaves_sums_to_the_host()) return;
    for (const std::size_t dimensions : {5, 64, 100})
        for (const float size : {1e-30F, 1.0F, 1e30F}) {
            INFO(dimensions << " dimensions of about " << size);
            const Descriptors rows = random_descriptors(7000, dimensions, 3, size);
            Vocabulary vocabulary = random_vocabulary(13, dimensions, 4, size);
            std::fill_n(vocabulary.values.begin(), dimensions, 100 * size); // an empty word
            const Found expected = runs(on_host, rows, vocabulary);
            CHECK(expected.course.back().moved > 0);
            CHECK_FALSE(expected.empty.empty());
            for (const char *level : {"gpu1", "gpu6"}) {
                INFO(level);
                if (find_level(level).obstacle(shared_device().get(), dimensions, 13)) continue;
                CHECK(runs(on_device(level, shared_device()), rows, vocabulary) == expected);
            }
        }
}

TEST_CASE("train: in small buffers or groups, or without float64, the words are the host's") {
    if (leaves_sums_to_the_host()) return;
    const Descriptors rows = random_descriptors(1000, 16, 3);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    const auto device = GENERATE(
        limited_device(
            [](DeviceLimits &limits) { limits.allocation_bytes = 300 * 16 * sizeof(float); }),
        limited_device([](DeviceLimits &limits) { limits.work_group_size = 128; }), // the host sums
        limited_device([](DeviceLimits &limits) { limits.fp64 = false; })); // the host moves
    for (const char *level : {"gpu1", "gpu2", "gpu6"}) {
        INFO(level);
        if (find_level(level).obstacle(device.get(), 16, 9)) continue;
        CHECK(runs(on_device(level, device), rows, vocabulary) == runs(on_host, rows, vocabulary));
    }
}

TEST_CASE("train: of descriptors as far from their words a device takes the first, as the host") {
    if (leaves_sums_to_the_host()) return;
    Descriptors rows = random_descriptors(9000, 4, 1);
    for (float &value : rows.values) value = std::round(std::clamp(value, -1.0F, 1.0F));
    std::fill_n(rows.values.end() - 4 * 500, 4, -2.0F); // the farthest, among others as far as many
    const Vocabulary vocabulary{4, {0, 0, 0, 0, 1, 1, 1, 1}};
    const auto in_parts = limited_device(
        [](DeviceLimits &limits) { limits.allocation_bytes = 2100 * 4 * sizeof(float); });
    const Found expected = runs(on_host, rows, vocabulary);
    CHECK(expected.farthest[2].size() == 4501 * 4);
    for (const auto &device : {shared_device(), in_parts})
        CHECK(runs(on_device("gpu1", device), rows, vocabulary) == expected);
}

TEST_CASE("train: a device whose units are matrices adds up what the host does") {
    if (lacks_fp64()) return;
    const auto device = std::make_shared<Device>(
        DeviceOptions{.kernel_dir = BOWHIST_SOURCE_FOLDER "/tests/assign/portable_matrix"});
    for (const std::size_t dimensions : {36, 128})
        for (const float size : {1e-30F, 1.0F}) {
            const Descriptors descriptors = random_descriptors(700, dimensions, 3, size);
            const RowsInMemory rows(descriptors);
            const Vocabulary vocabulary = random_vocabulary(40, dimensions, 4, size);
            DeviceWordSearch search(rows,
                                    std::make_unique<DeviceAssigner>(device, make_matrix_screen,
                                                                     vocabulary, AssignOptions{}));
            CHECK(runs(search, rows, 40) == runs(on_host, descriptors, vocabulary));
            CHECK(search.report().rows == 4 * 700);
            CHECK(search.report().kernels.at("pack_matrix").launches == 4);
        }
}

TEST_CASE("train: of words that a device moved as many rows are proven as of the host's") {
    if (leaves_sums_to_the_host()) return;
    Descriptors descriptors = random_descriptors(5000, 16, 3);
    Vocabulary vocabulary = random_vocabulary(13, 16, 4);
    // So far from zero scores are less exact than distances.
    for (float &value : descriptors.values) value += 20;
    for (float &value : vocabulary.values) value += 20;
    const RowsInMemory rows(descriptors);
    Observer silent;
    const auto search =
        make_word_search(rows, on_device("gpu6", shared_device()), vocabulary, silent, true);
    CentroidSums sums(rows, 13);
    const auto unproven = [&] {
        const std::uint64_t before = search->report().unproven;
        search->run(sums);
        return search->report().unproven - before;
    };
    unproven();
    search->move(sums);
    const std::uint64_t found = unproven();
    search->replace(search->vocabulary());
    CHECK(found == unproven());
    CHECK(found > 5);
}

TEST_CASE("train: a run that no move follows finds the same once more") {
    const Descriptors descriptors = random_descriptors(900, 24, 3);
    const RowsInMemory rows(descriptors);
    const Vocabulary vocabulary = random_vocabulary(9, 24, 4);
    for (const char *level : {"openmp", "gpu1", "gpu5", "gpu6"}) {
        INFO(level);
        Observer silent;
        const auto search =
            make_word_search(rows, on_device(level, shared_device()), vocabulary, silent, true);
        CentroidSums sums(rows, 9);
        const double inertia = search->run(sums).inertia;
        const auto words = search->words();
        const Iteration again = search->run(sums);
        CHECK(again.moved == 0);
        CHECK(again.inertia == inertia);
        CHECK(search->words() == words);
        CHECK(search->vocabulary().values == vocabulary.values);
    }
}

TEST_CASE("train: one word, more words than a group counts, and descriptors that are all equal") {
    if (leaves_sums_to_the_host()) return;
    const auto check = [](const Descriptors &rows, const Vocabulary &vocabulary) {
        const Found expected = runs(on_host, rows, vocabulary);
        for (const char *level : {"gpu1", "gpu6"})
            CHECK(runs(on_device(level, shared_device()), rows, vocabulary) == expected);
        return expected;
    };
    const Descriptors rows = random_descriptors(6000, 4, 3);
    check(rows, random_vocabulary(1, 4, 4));
    check(rows, random_vocabulary(5000, 4, 4));
    const Found alike = check({4, std::vector<float>(4 * 9000, 0.3F)}, random_vocabulary(7, 4, 4));
    CHECK(alike.empty.size() == 6);
}

TEST_CASE("train: a device rounds a mean between two floats as the host does") {
    if (leaves_sums_to_the_host()) return;
    // 49 values whose sum is 49 (2 - 2^-24). Multiplied by 1/49 in place of divided, it falls
    // short.
    Descriptors rows{1, {0.75F - 3 * 0x1p-24F, 1.25F, 4.0F}};
    for (int pair = 0; pair < 23; ++pair) {
        rows.values.push_back(1.75F - 0x1p-23F);
        rows.values.push_back(2.25F);
    }
    const Vocabulary vocabulary{1, {0.0F}};
    const Found expected = runs(on_host, rows, vocabulary);
    CHECK(expected.centroids[0] == 2.0F);
    CHECK(runs(on_device("gpu1", shared_device()), rows, vocabulary) == expected);
}

TEST_CASE("train: a kernel that counts wrong is found out") {
    if (leaves_sums_to_the_host()) return;
    const TemporaryFolder folder;
    const std::string right = kernel_source("screen.cl");
    const std::string count = "atomic_inc(&histograms[";
    REQUIRE(right.find(count) != std::string::npos);
    const std::string word = "words[row] = candidate.word;";
    REQUIRE(right.find(word) != std::string::npos);
    // One descriptor not counted, one too many; one without a word, one with a word that does not
    // exist.
    const auto [place, fault] = GENERATE_COPY(
        std::pair{count, "if (row != 5) "},
        std::pair{count, "if (row == 5) atomic_inc(histograms); "},
        std::pair{word, "if (row != 5) "}, std::pair{word, "if (row == 5) words[row] = 5; else "});
    std::string source = right;
    std::ofstream(folder / "screen.cl") << source.insert(right.find(place), fault);
    const Descriptors descriptors = random_descriptors(300, 8, 3);
    const RowsInMemory rows(descriptors);
    const auto search_and_sum = [&] { // some show on the sample that is tried first
        const auto search = search_by_kernels_in(folder, rows);
        CentroidSums sums(rows, 5);
        search->run(sums);
    };
    CHECK_THROWS_WITH(search_and_sum(), Catch::Contains("a kernel is broken; repair"));
}

TEST_CASE("train: a kernel that measures wrong is found out") {
    if (leaves_sums_to_the_host()) return;
    const TemporaryFolder folder;
    std::string source = kernel_source("farthest_rows.cl");
    const std::string sound = "farthest[get_group_id(0)] = distances[0]";
    const std::string fault = GENERATE(" / 2", "; farthest[5] = 1e9");
    std::ofstream(folder / "farthest_rows.cl")
        << source.insert(source.find(sound) + sound.size(), fault);
    const Descriptors descriptors = random_descriptors(3000, 8, 3);
    const RowsInMemory rows(descriptors);
    const auto search = search_by_kernels_in(folder, rows);
    CentroidSums sums(rows, 5);
    search->run(sums);
    CHECK_THROWS_WITH(search->farthest(1), Catch::Contains("a kernel is broken; repair"));
}

TEST_CASE("train: a few descriptors on a device",
          "[oclgrind][order_by_word.cl][sum_by_word.cl][move_words.cl]") {
    if (leaves_sums_to_the_host()) return;
    const Descriptors rows = random_descriptors(200, 8, 3);
    const Vocabulary vocabulary = random_vocabulary(5, 8, 4);
    CHECK(runs(on_device("gpu1", shared_device()), rows, vocabulary) ==
          runs(on_host, rows, vocabulary));
}

TEST_CASE("train: the farthest of a few descriptors on a device", "[oclgrind][farthest_rows.cl]") {
    if (leaves_sums_to_the_host()) return;
    const Descriptors descriptors = random_descriptors(2100, 2, 3);
    const RowsInMemory rows(descriptors);
    Observer silent;
    CentroidSums sums(rows, 2);
    const auto farthest = [&](const LevelChoice &level) {
        const auto search = make_word_search(rows, level, random_vocabulary(2, 2, 4), silent, true);
        search->run(sums);
        return search->farthest(1).values;
    };
    CHECK(farthest(on_device("gpu1", shared_device())) == farthest(on_host));
}

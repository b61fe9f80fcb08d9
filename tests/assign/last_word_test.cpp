// Drivers that end a kernel's loops early: no word is wrong, and those that nothing proves go to
// the rule.
#include "tests/support/adversarial.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/words_by_rule.hpp"

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/device/matrix_screen.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>

#include <catch2/catch.hpp>

#include <fstream>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

const std::filesystem::path portable_matrix = BOWHIST_SOURCE_FOLDER "/tests/assign/portable_matrix";

/// A loop of a kernel, and one that ends before the last turn.
struct EarlyEnd {
    std::string file, loop, shorter;
};

/// Writes the kernel with the shorter loop into a folder of kernels.
void plant(const EarlyEnd &end, const TemporaryFolder &kernels) {
    std::string text(embedded_kernels().at(end.file));
    const auto at = text.find(end.loop);
    REQUIRE(at != std::string::npos);
    std::ofstream(kernels / end.file) << text.replace(at, end.loop.size(), end.shorter);
}

/// The number of centers, the words around each, and by how much their values differ.
Vocabulary clusters(std::size_t centers, std::size_t words, float spread) {
    const Vocabulary center = random_vocabulary(centers, 64, 3);
    const Vocabulary noise = random_vocabulary(centers * words, 64, 4, spread);
    Vocabulary all{64, noise.values};
    for (std::size_t i = 0; i < all.values.size(); ++i)
        all.values[i] += center.values[i / (64 * words) * 64 + i % 64];
    return all;
}

/// gpu7's lists behind a screen that any device runs (matrix_lists_test.cpp), with the early end.
/// @return rows that the screen could not prove at first
std::uint64_t left_by_lists(const EarlyEnd &end, const Vocabulary &words, const Descriptors &rows) {
    const TemporaryFolder kernels;
    std::filesystem::copy(portable_matrix, kernels.path());
    plant(end, kernels);
    const auto device = std::make_shared<Device>(DeviceOptions{.kernel_dir = kernels.path()});
    DeviceAssigner assigner(device, make_matrix_screen, words, {});
    const Assignment found = assigner.run({rows.values, {}, 1});
    CHECK(found.words == words_by_rule(rows, words));
    return assigner.report().unproven;
}

} // namespace

TEST_CASE("last word: a level proves nothing where its loop ends before it") {
    const std::string ladder = "j < pass.count; j++";
    const std::string ladder_short = "j + 1 < pass.count; j++";
    const std::vector<std::tuple<std::string, std::size_t, EarlyEnd>> ends = {
        {"gpu1", 64, {"gpu1.cl", ladder, ladder_short}},
        {"gpu2", 64, {"gpu2.cl", ladder, ladder_short}},
        {"gpu3", 64, {"gpu3.cl", ladder, ladder_short}},
        {"gpu4", 64, {"gpu4.cl", ladder, ladder_short}},
        {"gpu5", 64, {"gpu5.cl", ladder, ladder_short}},
        {"gpu6", 64, {"gpu6.cl", "tile < search.k; tile", "tile + COLUMNS < search.k; tile"}},
        {"gpu6", 64, {"gpu6_cpu.cl", "tile < search.k; tile", "tile + COLUMNS < search.k; tile"}},
        {"gpu6",
         64,
         {"gpu6_cpu_16bit.cl", "first < search.k; first", "first + PART < search.k; first"}},
        {"gpu7", 64, {"gpu7_wgmma.cl", "tile < pass.tiles; tile", "tile + 1 < pass.tiles; tile"}},
        {"gpu7",
         128,
         {"gpu7.cl", "chunk < pass.blocks / MATRIX_CHUNK; chunk",
          "chunk + 1 < pass.blocks / MATRIX_CHUNK; chunk"}}};
    for (const auto &[level, dimensions, end] : ends)
        for (const std::size_t k : {200, 300}) { // four tiles of gpu7_wgmma.cl, and more
            if (find_level(level).obstacle(shared_device().get(), dimensions, k)) continue;
            INFO(level << ", " << end.file << ", k " << k);
            const Vocabulary words = random_vocabulary(k, dimensions, 1);
            const Descriptors rows = random_descriptors(400, dimensions, 2);
            const TemporaryFolder kernels;
            plant(end, kernels);
            const auto device =
                std::make_shared<Device>(DeviceOptions{.kernel_dir = kernels.path()});
            const auto assigner = find_level(level).prepare(device, words, {});
            CHECK(assigner->run({rows.values, {}, 1}).words == words_by_rule(rows, words));
            if (assigner->report().source == end.file) CHECK(assigner->report().unproven == 400);
        }
}

TEST_CASE("last word: contests whose loop ends early go to the rule") {
    if (!shared_device()->limits().fp64) return;
    const Vocabulary words = clusters(24, 4, 1e-4F); // that float32 separates
    const EarlyEnd half{"contest.cl", "left != 0; left &= left - 1) { // two",
                        "popcount(left) * 2 > popcount(contest.w); left &= left - 1) { // two"};
    left_by_lists(half, words, random_descriptors(200, 64, 6));
}

TEST_CASE("last word: rows of which the rule saw too little have no word, and a line") {
    if (!shared_device()->limits().fp64) return;
    const Vocabulary words = clusters(24, 4, 1e-7F);
    const Descriptors rows = random_descriptors(200, 64, 6);
    const EarlyEnd half{"contest.cl", "left != 0; left &= left - 1) {\n        const uint centroid",
                        "popcount(left) > 1; left &= left - 1) {\n        const uint centroid"};
    CHECK_THROWS_WITH(left_by_lists(half, words, rows), Catch::Contains("have no word"));
}

TEST_CASE("last word: crowds whose loops end early go to the rule") {
    if (!shared_device()->limits().fp64) return;
    for (const EarlyEnd &end : {EarlyEnd{"crowd.cl", "block < pass.blocks; block",
                                         "block + CROWD_GROUP / WARP < pass.blocks; block"},
                                {"crowd.cl", "i < noted; i", "i + SHARE < noted; i"},
                                {"crowd.cl", "other < SHARE; other", "other + 1 < SHARE; other"}}) {
        INFO(end.loop);
        CHECK(left_by_lists(end, clusters(8, 60, 1e-6F), random_descriptors(100, 64, 8)) == 100);
    }
}

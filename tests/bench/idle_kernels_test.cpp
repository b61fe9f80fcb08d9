// Every way of every operation, its kernels made to write nothing while the other ways are sound.
#include "bench/bench.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Some files of cl/, and the levels that launch kernels of them; empty: all that run here.
struct Idle {
    std::string operation;
    std::vector<std::string> files;
    std::set<std::string> levels;
};

const std::set<std::string> dense_levels = {"all", "smooth", "pool", "weigh", "describe"};
const std::set<std::string> surf_levels = {
    "all",     "smooth", "halve", "sum_along_rows", "sum_down_columns",
    "respond", "find",   "place", "refine",         "describe"};

const std::set<std::string> iterations = {"gpu6", "update-gpu6"};

const std::vector<Idle> idle_kernels = {
    {"assign", {"gpu1.cl"}, {"gpu1"}},
    {"assign", {"gpu2.cl"}, {"gpu2"}},
    {"assign", {"gpu3.cl"}, {"gpu3"}},
    {"assign", {"gpu4.cl"}, {"gpu4"}},
    {"assign", {"gpu5.cl"}, {"gpu5"}},
    {"assign", {"gpu6.cl", "gpu6_cpu.cl", "gpu6_cpu_16bit.cl"}, {"gpu6"}},
    {"gpu6-shapes", {"gpu6.cl", "gpu6_cpu.cl", "gpu6_cpu_16bit.cl"}, {}},
    {"search-words", {"sum_words.cl"}, {"gpu1"}},
    {"search-codes", {"multiply_codes.cl"}, {"gpu1"}},
    {"search-codes", {"keep_hits.cl"}, {"gpu1"}},
    {"transpose", {"transpose_naive.cl"}, {"naive"}},
    {"transpose", {"transpose_tiled.cl"}, {"unpadded", "tiled"}},
    {"transpose", {"transpose_vectors.cl"}, {"vectors"}},
    {"transpose", {"transpose_blocks.cl"}, {"blocks"}},
    {"transpose-float", {"transpose_naive.cl"}, {"naive", "naive+pad"}},
    {"transpose-float", {"transpose_tiled.cl"}, {"unpadded", "unpadded+pad", "tiled", "tiled+pad"}},
    {"transpose-float", {"transpose_vectors.cl"}, {"vectors", "vectors+pad"}},
    {"transpose-float", {"transpose_blocks.cl"}, {"blocks", "blocks+pad"}},
    {"transpose-byte", {"transpose_naive.cl"}, {"naive", "naive+pad"}},
    {"transpose-byte", {"transpose_tiled.cl"}, {"unpadded", "unpadded+pad", "tiled", "tiled+pad"}},
    {"transpose-byte", {"transpose_vectors.cl"}, {"vectors", "vectors+pad"}},
    {"transpose-byte", {"transpose_blocks.cl"}, {"blocks", "blocks+pad"}},
    {"gaussian", {"gaussian_rows.cl"}, {"rows", "rows4"}},
    {"gaussian",
     {"gaussian_columns.cl"},
     {"rows", "rows4", "transposes", "transposes4", "transposes16"}},
    {"gaussian", {"gaussian_transposed.cl"}, {"turned"}},
    {"gaussian", {"gaussian_transposed_vectors.cl"}, {"turned16"}},
    {"gaussian-columns",
     {"gaussian_columns.cl"},
     {"columns", "columns4", "columns16", "columns+cut"}},
    {"gaussian-columns", {"gaussian_transposed.cl"}, {"turned", "turned+cut"}},
    {"gaussian-columns", {"gaussian_transposed_vectors.cl"}, {"turned16"}},
    {"scan-rows", {"scan_tree.cl"}, {"tree", "tree_conflicting"}},
    {"scan-rows", {"scan_serial.cl"}, {"serial"}},
    {"scan-vector", {"scan_tree.cl"}, {"tree", "tree_conflicting"}},
    {"scan-vector", {"scan_serial.cl"}, {"serial"}},
    {"compact", {"compact_tree.cl"}, {"tree", "tree_conflicting"}},
    {"compact", {"compact_serial.cl"}, {"serial"}},
    {"integral", {"integral_bands.cl"}, {"bands"}},
    {"integral",
     {"transpose_naive.cl", "transpose_tiled.cl", "transpose_vectors.cl", "transpose_blocks.cl"},
     {"transposes"}},
    {"histogram256", {"histogram256_global.cl"}, {"global_atomics", "global_atomics+flat"}},
    {"histogram256",
     {"histogram256_local.cl"},
     {"local_atomics", "local_atomics+flat", "local_copies", "local_copies+flat"}},
    {"histogram256", {"histogram256_serial.cl"}, {"serial", "serial+flat"}},
    {"equalise", {"equalize.cl"}, {"local_copies", "serial"}},
    {"equalise", {"histogram256_serial.cl"}, {"serial"}},
    {"convolve-5x5", {"convolve_basic.cl"}, {"basic", "constant"}},
    {"convolve-5x5", {"convolve_tiled_input.cl"}, {"tiled_input"}},
    {"convolve-5x5", {"convolve_tiled_output.cl"}, {"tiled_output"}},
    {"convolve-5x5", {"convolve_cached.cl"}, {"cached"}},
    {"convolve-5x5", {"convolve_sliding.cl"}, {"sliding"}},
    {"convolve-9x9", {"convolve_basic.cl"}, {"basic", "constant"}},
    {"convolve-9x9", {"convolve_tiled_input.cl"}, {"tiled_input"}},
    {"convolve-9x9", {"convolve_tiled_output.cl"}, {"tiled_output"}},
    {"convolve-9x9", {"convolve_cached.cl"}, {"cached"}},
    {"convolve-9x9", {"convolve_sliding.cl"}, {"sliding"}},
    {"separable", {"convolve_separable.cl", "convolve_separable_tiled.cl"}, {"one-launch"}},
    {"separable", {"convolve_rows.cl"}, {"two-passes"}},
    {"separable", {"convolve_columns.cl"}, {"two-passes"}},
    {"dense", {"smooth.cl"}, dense_levels}, // all levels run all kernels
    {"dense", {"dense_pool.cl"}, dense_levels},
    {"dense", {"dense_weigh.cl"}, dense_levels},
    {"dense", {"dense_describe.cl"}, dense_levels},
    {"surf", {"smooth.cl"}, surf_levels},
    {"surf", {"surf_halve.cl"}, surf_levels},
    {"surf", {"surf_integral.cl"}, surf_levels},
    {"surf", {"surf_respond.cl"}, surf_levels},
    {"surf", {"surf_find.cl"}, surf_levels},
    {"surf", {"surf_refine.cl"}, surf_levels},
    {"surf", {"surf_describe.cl"}, surf_levels},
    {"train-start", {"choose_rows.cl"}, {"sampled-device", "greedy-device"}},
    {"train-iteration",
     {"gpu6.cl", "gpu6_cpu.cl", "gpu6_cpu_16bit.cl"},
     {"farthest-device", "gpu6"}}, // refused
    {"train-iteration", {"pack_tiles.cl"}, iterations},
    {"train-iteration", {"scan_serial.cl", "scan_tree.cl"}, iterations},
    {"train-iteration", {"order_by_word.cl"}, iterations},
    {"train-iteration", {"sum_by_word.cl"}, iterations},
    {"train-iteration", {"move_words.cl"}, iterations},
    {"train-iteration", {"farthest_rows.cl"}, {"farthest-device"}},
};

/// The file with another text in place of what matches.
void write_changed(const std::filesystem::path &folder, const std::string &file,
                   const std::regex &match, const std::string &text) {
    const std::string sound{embedded_kernels().at(file)};
    REQUIRE(std::regex_search(sound, match));
    std::ofstream(folder / file) << std::regex_replace(sound, match, text);
}

/// The file with `return;` in front of all that its kernels do.
void write_idle(const std::filesystem::path &folder, const std::string &file) {
    write_changed(folder, file, std::regex(R"(\nkernel[^{;]*\{)"), "$& return;");
}

std::shared_ptr<Device> device_with(const std::filesystem::path &kernels) {
    return std::make_shared<Device>(DeviceOptions{.kernel_dir = kernels});
}

/// Whether a kernel was found wrong before it was timed.
bool is_refused(const Case &row) {
    return row.obstacle.find("have no word from") != std::string::npos;
}

/// The ways of an operation that run here, 192 rows each; of surf more, for keypoints in an octave
/// that was halved; of trainings more, for a device to look for the farthest row.
struct Ways {
    Observer observer;
    BenchRequest request;
    std::vector<Case> cases;

    Ways(const std::string &operation, const std::shared_ptr<Device> &device) {
        request.n = operation == "surf" ? 256 : operation == "train-iteration" ? 3000 : 192;
        cases = find_operation(operation).cases({request, device, observer, 5});
        std::erase_if(cases, [](const Case &row) { return !row.run && !is_refused(row); });
    }
};

/// Only NVIDIA's devices have it.
bool is_gpu7(const Case &row) {
    return row.subject.level.ends_with("gpu7");
}

/// A way whose results are wrong, or that says itself that it went wrong.
bool is_found_wrong(const Case &row) {
    if (!row.run) return is_refused(row);
    try {
        row.run();
        return row.check().mismatches > 0U;
    } catch (const Error &error) {
        return error.fault == Fault::device;
    }
}

std::set<std::string> levels_of(const Idle &idle) {
    if (!idle.levels.empty()) return idle.levels;
    const Ways ways(idle.operation, shared_device());
    std::set<std::string> all;
    for (const Case &row : ways.cases) all.insert(row.subject.level);
    return all;
}

/// The levels whose results are found wrong, run after one another, twice.
std::set<std::string> found_wrong(const Idle &idle, const std::shared_ptr<Device> &device) {
    const Ways ways(idle.operation, device);
    std::set<std::string> wrong;
    for (int turn = 0; turn < 2; ++turn)
        for (const Case &row : ways.cases)
            if (!is_gpu7(row) && is_found_wrong(row)) wrong.insert(row.subject.level);
    return wrong;
}

} // namespace

TEST_CASE("bench finds kernels that write nothing among sound ones", "[bench]") {
    for (const Idle &idle : idle_kernels) {
        const TemporaryFolder folder;
        for (const std::string &file : idle.files) write_idle(folder.path(), file);
        INFO(idle.operation << ", " << idle.files.front());
        CHECK(found_wrong(idle, device_with(folder.path())) == levels_of(idle));
    }
}

TEST_CASE("bench: every way on a device is made to write nothing once", "[bench]") {
    for (const Operation &operation : operations()) {
        if (operation.id == "memory") continue; // below
        std::set<std::string> idle;
        for (const Idle &one : idle_kernels)
            if (one.operation == operation.id) idle.merge(levels_of(one));
        const Ways ways(std::string(operation.id), shared_device());
        for (const Case &row : ways.cases)
            if (row.subject.place == Place::device && !is_gpu7(row)) {
                INFO(operation.id);
                CHECK_THAT(row.subject.level, Catch::Predicate<std::string>([&](const auto &level) {
                               return idle.contains(level);
                           }));
            }
    }
}

TEST_CASE("bench finds that nothing was read from memory", "[bench][memory]") {
    const TemporaryFolder folder;
    for (const std::string file : {"memory_buffer.cl", "memory_image.cl", "memory_table.cl"})
        write_idle(folder.path(), file);
    Observer observer;
    BenchRequest request;
    request.n = 1024; // enough for images
    const Scene scene{request, device_with(folder.path()), observer};
    for (const Case &row : find_operation("memory").cases(scene)) {
        if (!row.run) continue;
        INFO(row.subject.level);
        row.run();
        CHECK(row.check().mismatches == row.output->shape().rows);
    }
}

TEST_CASE("bench finds descriptors of another picture, and a wrong count of them",
          "[bench][extract]") {
    std::size_t descriptors = 0;
    const auto wrong = [&](const char *match, const char *text) {
        const TemporaryFolder folder;
        write_changed(folder.path(), "dense_describe.cl", std::regex(match), text);
        const Ways ways("dense", device_with(folder.path()));
        descriptors = ways.cases.front().output->shape().rows;
        return *ways.cases.front().check().mismatches;
    };
    const std::uint64_t misplaced = wrong("= grid\\.bag", "$& / 2"); // three images: 0, 0, 1
    CHECK(misplaced > descriptors / 2);
    CHECK(misplaced < descriptors);
    CHECK(wrong("places\\[all_patches\\]", "$& - 1") == 1);
}

TEST_CASE("bench finds a kernel that is right only where a run before it was", "[bench][extract]") {
    const TemporaryFolder folder;
    write_changed(
        folder.path(), "dense_pool.cl", std::regex("out\\[i\\] = sum"),
        "out[i] = i % PATCH_CHANNELS == 1 && out[i] == 0 ? 1 : sum"); // |dx| is never 0 here
    const Ways ways("dense", device_with(folder.path()));
    for (int turn = 0; turn < 2; ++turn) ways.cases.front().run();
    CHECK(ways.cases.front().output->mismatches() == 0);
    CHECK(ways.cases.front().check().mismatches > 0U);
}

TEST_CASE("a word that no kernel writes is not the one of the launch before", "[bench]") {
    const TemporaryFolder folder;
    write_changed(folder.path(), "gpu1.cl", std::regex("row >= \\*count"),
                  "$& || descriptors[row * DIMENSIONS] > 1000");
    const Vocabulary vocabulary = synthetic_vocabulary({}, 5, 8);
    Descriptors descriptors = synthetic_descriptors({}, 100, 8);
    const auto assigner = find_level("gpu1").prepare(device_with(folder.path()), vocabulary, {});
    const Assignment before = assigner->run({descriptors.values, {}, 1});
    CHECK(before.words[42] >= 0);
    descriptors.values[42 * 8] = 2000;
    CHECK_THROWS_WITH(assigner->run({descriptors.values, {}, 1}),
                      Catch::Contains("1 of 100 descriptors have no word"));
}

// gpu7 without matrix units: contest, crowd, count and decide behind a screen that fills the same
// lists from scores that a model of the units sums (tests/assign/portable_matrix). Contests are
// held in fp64: without it gpu6 would stand in for all of it.
#include "tests/support/adversarial.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/words_by_rule.hpp"

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/device/matrix_screen.hpp>

#include <catch2/catch.hpp>

#include <fstream>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

const std::filesystem::path portable_matrix = BOWHIST_SOURCE_FOLDER "/tests/assign/portable_matrix";

std::shared_ptr<Device> portable_device(const std::filesystem::path &kernels = portable_matrix) {
    return std::make_shared<Device>(DeviceOptions{.kernel_dir = kernels});
}

/// A matrix unit, as tests/assign/portable_matrix/unit.cl describes it.
struct Unit {
    int products = 8;
    int fraction = 24;
    std::string least = "0";
};

/// @param kernels an empty folder, read whenever a program is built
std::shared_ptr<Device> device_with(const Unit &unit, const TemporaryFolder &kernels) {
    std::filesystem::copy(portable_matrix, kernels.path(),
                          std::filesystem::copy_options::recursive);
    std::ofstream(kernels / "unit_shape.cl")
        << "#define PRODUCTS " << unit.products << "\n#define FRACTION " << unit.fraction
        << "\n#define LEAST " << unit.least << '\n';
    return portable_device(kernels.path());
}

DeviceAssigner assigner_on(const std::shared_ptr<Device> &device, const Vocabulary &vocabulary,
                           const AssignOptions &options = {}) {
    return {device, make_matrix_screen, vocabulary, options};
}

/// @return rows that the screen could not prove at first
std::uint64_t check_by_rule(const std::shared_ptr<Device> &device, const Descriptors &descriptors,
                            const Vocabulary &vocabulary) {
    INFO("n " << descriptors.size() << ", D " << vocabulary.dimensions << ", k "
              << vocabulary.size());
    std::vector<std::uint32_t> bag(descriptors.size());
    for (std::size_t row = 0; row < bag.size(); ++row)
        bag[row] = static_cast<std::uint32_t>(3 * row / bag.size());
    const Batch batch{descriptors.values, bag, 3};
    const Assignment expected = find_level("serial").prepare(nullptr, vocabulary, {})->run(batch);
    DeviceAssigner assigner = assigner_on(device, vocabulary);
    const Assignment found = assigner.run(batch);
    CHECK(found.words == expected.words);
    CHECK(found.histograms == expected.histograms);
    return assigner.report().unproven;
}

} // namespace

TEST_CASE("matrix lists: ordinary rows are proven, others settled, in any shape") {
    if (lacks_fp64()) return;
    const auto device = portable_device();
    for (const std::size_t dimensions : {4, 36, 64, 128})
        for (const std::size_t k : {1, 31, 65, 257}) {
            const Vocabulary vocabulary = random_vocabulary(k, dimensions, 1);
            const auto open =
                check_by_rule(device, random_descriptors(300, dimensions, 2), vocabulary);
            if (dimensions > 4) CHECK(open < 100);
        }
}

TEST_CASE("matrix lists: contenders in two groups are decided") {
    if (lacks_fp64()) return;
    const auto device = portable_device();
    const Vocabulary vocabulary = random_vocabulary(100, 64, 3);
    CHECK(check_by_rule(device, nearly_tied(vocabulary, 1000, 4), vocabulary) > 900);
    const Vocabulary twice =
        words_repeated(random_vocabulary(24, 64, 5), 2); // groups 0 and 3, 1 and 4, …
    CHECK(check_by_rule(device, random_descriptors(500, 64, 6), twice) == 500);
}

TEST_CASE("matrix lists: crowds are settled by the rule, up to 64 contenders a row and beyond") {
    if (lacks_fp64()) return;
    const auto device = portable_device();
    const Vocabulary few = random_vocabulary(8, 64, 7);
    for (const std::size_t times : {3, 63, 64, 65, 70}) { // as many contenders
        const Vocabulary vocabulary = words_repeated(few, times);
        CHECK(check_by_rule(device, random_descriptors(100, 64, 8), vocabulary) == 100);
    }
}

TEST_CASE(
    "matrix lists: every kind of data that tempts a screen, as the units of each GPU sum it") {
    if (lacks_fp64()) return;
    const Unit ampere{8, 24};
    const Unit hopper{16, 25};
    for (const Unit &unit : {ampere, hopper}) {
        const TemporaryFolder kernels;
        const auto device = device_with(unit, kernels);
        for (const Kind &kind : kinds()) {
            if (kind.dimensions % 4 != 0) continue;
            INFO(kind.name << " where " << unit.products << " products are summed at once");
            const Vocabulary words = draw_words(kind, 1);
            check_by_rule(device, draw_rows(kind, words, kind.words > 64 ? 60 : 300, 2), words);
        }
    }
}

TEST_CASE("matrix unit: those of each GPU keep the bound, a coarser one does not") {
    if (lacks_fp64()) return;
    const auto keeps = [](const Unit &unit) {
        const TemporaryFolder kernels;
        return keeps_the_bound(*device_with(unit, kernels));
    };
    CHECK(keeps({4, 23})); // Volta's
    CHECK(keeps({8, 24}));
    CHECK(keeps({16, 25}));
    CHECK_FALSE(keeps({8, 22}));
    CHECK_FALSE(keeps({16, 20}));
    CHECK_FALSE(keeps({16, 25, "0x1p-14f"})); // takes subnormal numbers for zero
}

TEST_CASE("matrix unit: where it does not keep the bound gpu6 stands in, and says so") {
    if (lacks_fp64()) return;
    const TemporaryFolder kernels;
    const auto device = device_with({16, 20, "0x1p-14f"}, kernels);
    Listener listener;
    const Vocabulary vocabulary = random_vocabulary(100, 64, 15);
    const Descriptors rows = nearly_tied(vocabulary, 500, 16);
    DeviceAssigner assigner = assigner_on(device, vocabulary, {.observer = &listener});
    CHECK(assigner.run({rows.values, {}, 1}).words == words_by_rule(rows, vocabulary));
    CHECK(assigner.report().kernels.count("contest") == 0);
    REQUIRE(listener.warnings.size() == 1);
    CHECK_THAT(listener.warnings[0], Catch::Contains("gpu6 runs in place of gpu7"));
}

TEST_CASE("matrix lists: rows that leave fp16's range go to the rule") {
    if (lacks_fp64()) return;
    Descriptors rows = random_descriptors(90, 64, 9);
    for (std::size_t row = 0; row < 90; row += 3) rows.values[row * 64] = 1e6F;
    const auto open = check_by_rule(portable_device(), rows, random_vocabulary(50, 64, 10));
    CHECK(open >= 30);
    CHECK(open < 60);
}

TEST_CASE("matrix lists: other words take the place of those before") {
    if (lacks_fp64()) return;
    const Descriptors rows = random_descriptors(400, 36, 9);
    const Batch batch{rows.values, {}, 1};
    const Vocabulary first = random_vocabulary(70, 36, 10);
    DeviceAssigner assigner = assigner_on(portable_device(), first);
    CHECK(assigner.run(batch).words == words_by_rule(rows, first));
    for (const float size : {100.0F, 1e-3F}) { // scaled otherwise
        const Vocabulary next = random_vocabulary(70, 36, 11, size);
        assigner.replace(next);
        CHECK(assigner.run(batch).words == words_by_rule(rows, next));
    }
}

TEST_CASE("matrix lists: planted too small, the bound lets words be wrong") {
    if (lacks_fp64()) return;
    const auto device = portable_device();
    const Vocabulary vocabulary = random_vocabulary(100, 64, 13);
    const Descriptors rows = nearly_tied(vocabulary, 1000, 14);
    const Batch batch{rows.values, {}, 1};
    DeviceAssigner proving = assigner_on(device, vocabulary);
    DeviceAssigner careless = assigner_on(device, vocabulary, {.bound_scale = 0.001});
    CHECK(careless.run(batch).words != proving.run(batch).words);
}

TEST_CASE("matrix lists: a few of each kind, small enough for oclgrind",
          "[oclgrind][crowd.cl][probe_matrix.cl]") {
    if (lacks_fp64()) return;
    const auto device = portable_device();
    const Vocabulary three = random_vocabulary(3, 4, 11); // contest, crowd, and too large a crowd
    for (const std::size_t times : {2, 7, 65})
        CHECK(check_by_rule(device, random_descriptors(18, 4, 12), words_repeated(three, times)) ==
              18);
}

// Rows with NaN or infinity, which readers refuse and a caller of the library may give: their word
// is 0, on every level, and nothing else is touched by them.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/words_by_rule.hpp"

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/device/matrix_screen.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

#include <limits>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Every third row is made unusable, in one coordinate or in all.
Descriptors spoilt(Descriptors rows) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> faults = {std::numeric_limits<float>::quiet_NaN(), infinity,
                                       -infinity};
    for (std::size_t row = 0; row < rows.size(); row += 3) {
        float *values = rows.values.data() + row * rows.dimensions;
        const float fault = faults[row / 3 % 3];
        if (row / 9 % 2 == 0)
            std::fill_n(values, rows.dimensions, fault);
        else
            values[row % rows.dimensions] = fault;
    }
    return rows;
}

void check(Assigner &assigner, const Descriptors &rows, const Vocabulary &vocabulary) {
    std::vector<std::uint32_t> bag(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        bag[row] = static_cast<std::uint32_t>(2 * row / rows.size());
    std::vector<std::int32_t> words(rows.size(), 0);
    std::vector<std::uint32_t> counts(2 * vocabulary.size(), 0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (row % 3 != 0) words[row] = nearest(rows.row(row), vocabulary);
        ++counts[bag[row] * vocabulary.size() + static_cast<std::size_t>(words[row])];
    }
    const Assignment result = assigner.run({rows.values, bag, 2});
    CHECK(result.words == words);
    CHECK(result.histograms == counts);
}

} // namespace

TEST_CASE("not finite: a row's word is 0 on every level, and other rows keep theirs") {
    const auto without_fp64 = limited_device([](DeviceLimits &limits) { limits.fp64 = false; });
    for (const std::size_t k : {1, 7, 40, 257}) {
        const Vocabulary vocabulary = random_vocabulary(k, 64, 1);
        const Descriptors rows = spoilt(random_descriptors(1000, 64, 2));
        INFO("k " << k);
        CHECK(words_by_vector_rule(rows, vocabulary) == words_by_rule(rows, vocabulary));
        for (const Level &level : levels_here()) {
            INFO(level.id);
            check(*level.prepare(shared_device(), vocabulary, {}), rows, vocabulary);
            if (level.on_device)
                check(*level.prepare(without_fp64, vocabulary, {}), rows, vocabulary);
        }
    }
}

TEST_CASE("not finite: so it is behind a screen of gpu7's kind") {
    if (lacks_fp64()) return;
    const auto device = std::make_shared<Device>(
        DeviceOptions{.kernel_dir = BOWHIST_SOURCE_FOLDER "/tests/assign/portable_matrix"});
    const Vocabulary vocabulary = random_vocabulary(100, 64, 3);
    DeviceAssigner assigner(device,
                            [](const std::shared_ptr<Device> &there, const Vocabulary &words,
                               const Buffer<float> &centroids, const AssignOptions &own) {
                                return std::make_unique<MatrixScreen>(there, words, centroids, own);
                            },
                            vocabulary, {});
    check(assigner, spoilt(random_descriptors(300, 64, 4)), vocabulary);
}

TEST_CASE("not finite: nearly tied rows on every level, small enough for oclgrind",
          "[oclgrind][gpu1.cl][gpu2.cl][gpu3.cl][gpu4.cl][gpu5.cl][decide.cl]") {
    const Vocabulary vocabulary = random_vocabulary(3, 4, 5);
    const Descriptors rows = spoilt(nearly_tied(vocabulary, 67, 6));
    for (const Level &level : levels())
        if (!level.obstacle(shared_device().get(), 4, 3)) {
            INFO(level.id);
            check(*level.prepare(shared_device(), vocabulary, {}), rows, vocabulary);
        }
}

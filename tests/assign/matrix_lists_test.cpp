// What becomes of gpu7's lists: contest, crowd, count and decide, behind a screen that needs no
// matrix units (tests/assign/portable_matrix) and fills the same lists.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/assign/device_assigner.hpp>
#include <bowhist/assign/matrix_screen.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::shared_ptr<Device> portable_device() {
    DeviceOptions options;
    options.kernel_dir = BOWHIST_SOURCE_FOLDER "/tests/assign/portable_matrix";
    return std::make_shared<Device>(options);
}

DeviceAssigner assigner_on(const std::shared_ptr<Device> &device, const Vocabulary &vocabulary,
                           const AssignOptions &options = {}) {
    return {device,
            [](const std::shared_ptr<Device> &there, const Vocabulary &words,
               const Buffer<float> &centroids, const AssignOptions &own) {
                return std::make_unique<MatrixScreen>(there, words, centroids, own);
            },
            vocabulary, options};
}

/// @return rows that the screen could not prove at first
std::uint64_t check_by_rule(const std::shared_ptr<Device> &device, const Descriptors &descriptors,
                            const Vocabulary &vocabulary) {
    INFO("n " << descriptors.size() << ", D " << vocabulary.dimensions << ", k "
              << vocabulary.size());
    std::vector<std::uint32_t> image(descriptors.size());
    for (std::size_t row = 0; row < image.size(); ++row)
        image[row] = static_cast<std::uint32_t>(3 * row / image.size());
    const Batch batch{descriptors.values, image, 3};
    const Assignment expected = find_level("serial").prepare(nullptr, vocabulary, {})->run(batch);
    DeviceAssigner assigner = assigner_on(device, vocabulary);
    const Assignment found = assigner.run(batch);
    CHECK(found.words == expected.words);
    CHECK(found.histograms == expected.histograms);
    return assigner.report().unproven;
}

/// Every word so many times, one after another.
Vocabulary repeated(const Vocabulary &once, std::size_t times) {
    Vocabulary all{once.dimensions, {}};
    for (std::size_t time = 0; time < times; ++time)
        all.values.insert(all.values.end(), once.values.begin(), once.values.end());
    return all;
}

} // namespace

TEST_CASE("matrix lists: ordinary rows are proven, others settled, in any shape") {
    const auto device = portable_device();
    for (const std::size_t dimensions : {4, 36, 64, 128})
        for (const std::size_t k : {1, 31, 65, 257}) {
            const Vocabulary vocabulary = random_vocabulary(k, dimensions, 1);
            const auto open =
                check_by_rule(device, random_descriptors(300, dimensions, 2), vocabulary);
            if (dimensions > 4) CHECK(open < 100);
        }
}

TEST_CASE("matrix lists: contenders in two groups are told apart") {
    const auto device = portable_device();
    const Vocabulary vocabulary = random_vocabulary(100, 64, 3);
    CHECK(check_by_rule(device, nearly_tied(vocabulary, 1000, 4), vocabulary) > 900);
    const Vocabulary twice =
        repeated(random_vocabulary(24, 64, 5), 2); // groups 0 and 3, 1 and 4, …
    CHECK(check_by_rule(device, random_descriptors(500, 64, 6), twice) == 500);
}

TEST_CASE("matrix lists: crowds are settled by the rule, up to 64 contenders a row and beyond") {
    const auto device = portable_device();
    const Vocabulary few = random_vocabulary(8, 64, 7);
    for (const std::size_t times : {3, 63, 64, 65, 70}) { // as many contenders
        const Vocabulary vocabulary = repeated(few, times);
        CHECK(check_by_rule(device, random_descriptors(100, 64, 8), vocabulary) == 100);
    }
}

TEST_CASE("matrix lists: rows that leave fp16's range go to the rule") {
    Descriptors rows = random_descriptors(90, 64, 9);
    for (std::size_t row = 0; row < 90; row += 3) rows.values[row * 64] = 1e6F;
    const auto open = check_by_rule(portable_device(), rows, random_vocabulary(50, 64, 10));
    CHECK(open >= 30);
    CHECK(open < 60);
}

TEST_CASE("matrix lists: planted too small, the bound lets words be wrong") {
    const auto device = portable_device();
    const Vocabulary vocabulary = random_vocabulary(100, 64, 13);
    const Descriptors rows = nearly_tied(vocabulary, 1000, 14);
    const Batch batch{rows.values, {}, 1};
    DeviceAssigner proving = assigner_on(device, vocabulary);
    DeviceAssigner careless = assigner_on(device, vocabulary, {.bound_scale = 0.001});
    CHECK(careless.run(batch).words != proving.run(batch).words);
}

TEST_CASE("matrix lists: a few of each kind, small enough for oclgrind", "[oclgrind][crowd.cl]") {
    const auto device = portable_device();
    const Vocabulary three = random_vocabulary(3, 4, 11); // contest, crowd, and too large a crowd
    for (const std::size_t times : {2, 7, 65})
        CHECK(check_by_rule(device, random_descriptors(18, 4, 12), repeated(three, times)) == 18);
}

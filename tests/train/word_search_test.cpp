// A training's words and sums: a device finds and adds up what the host does, bit for bit.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/train/word_search.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// What three runs find, the words after them, and where the centroids went.
struct Found {
    std::vector<Iteration> course = {};
    std::vector<std::size_t> empty = {};
    std::vector<std::int32_t> words = {};
    std::vector<float> centroids = {};

    bool operator==(const Found &) const = default;
};

Found runs(WordSearch &search, const Descriptors &rows, std::size_t k) {
    CentroidSums sums(rows, k);
    Found found;
    for (int run = 0; run < 3; ++run) {
        found.course.push_back(search.run(sums));
        if (found.course.back().empty > 0) found.empty = sums.empty();
        search.move(sums);
    }
    search.forget();
    CHECK(search.run(sums).moved == rows.size());
    found.words = search.words();
    found.centroids = search.vocabulary().values;
    return found;
}

Found runs(const LevelChoice &level, const Descriptors &rows, const Vocabulary &vocabulary) {
    Observer silent;
    return runs(*make_word_search(rows, level, vocabulary, silent, true), rows, vocabulary.size());
}

LevelChoice on_device(std::string_view id, const std::shared_ptr<Device> &device) {
    return {&find_level(id), device, {}};
}

} // namespace

TEST_CASE("train: a device adds up what the host does, bit for bit") {
    for (const std::size_t dimensions : {5, 64, 100})
        for (const float size : {1e-30F, 1.0F, 1e30F}) {
            INFO(dimensions << " dimensions of about " << size);
            const Descriptors rows = random_descriptors(1500, dimensions, 3, size);
            Vocabulary vocabulary = random_vocabulary(13, dimensions, 4, size);
            std::fill_n(vocabulary.values.begin(), dimensions, 100 * size); // an empty word
            const Found expected = runs({&find_level("openmp"), nullptr, {}}, rows, vocabulary);
            CHECK(expected.course.back().moved > 0);
            CHECK_FALSE(expected.empty.empty());
            for (const char *level : {"gpu1", "gpu6"}) {
                INFO(level);
                if (find_level(level).obstacle(shared_device().get(), dimensions, 13)) continue;
                CHECK(runs(on_device(level, shared_device()), rows, vocabulary) == expected);
            }
        }
}

TEST_CASE("train: descriptors that no buffer holds are added up in parts") {
    const Descriptors rows = random_descriptors(1000, 16, 3);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    const auto device = limited_device(
        [](DeviceLimits &limits) { limits.allocation_bytes = 300 * 16 * sizeof(float); });
    CHECK(runs(on_device("gpu2", device), rows, vocabulary) ==
          runs({&find_level("openmp"), nullptr, {}}, rows, vocabulary));
}

TEST_CASE("train: where a device has no room the host adds up, and a warning says so") {
    struct Warned : Observer {
        void warning(const std::string &text) override { warnings.push_back(text); }
        std::vector<std::string> warnings;
    } observer;
    const Descriptors rows = random_descriptors(20'000, 16, 3);
    const Vocabulary vocabulary = random_vocabulary(9, 16, 4);
    const auto device = limited_device([](DeviceLimits &limits) { limits.free_bytes = 1 << 20; });
    const auto search =
        make_word_search(rows, on_device("gpu2", device), vocabulary, observer, true);
    CHECK_THAT(observer.warnings.at(0), Catch::Contains("no room for 20000 descriptors"));
    CHECK(runs(*search, rows, vocabulary.size()) ==
          runs({&find_level("openmp"), nullptr, {}}, rows, vocabulary));
}

TEST_CASE("train: a few descriptors on a device", "[oclgrind][order_by_word.cl][sum_by_word.cl]") {
    const Descriptors rows = random_descriptors(200, 8, 3);
    const Vocabulary vocabulary = random_vocabulary(5, 8, 4);
    CHECK(runs(on_device("gpu1", shared_device()), rows, vocabulary) ==
          runs({&find_level("openmp"), nullptr, {}}, rows, vocabulary));
}

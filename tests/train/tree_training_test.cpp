// Vocabulary trees: what holds for any data, and that nothing but data and seed decides them.
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/trees.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/train/tree_training.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

Training grown(const Descriptors &rows, const std::vector<std::size_t> &branches,
               std::string_view level = "simd", std::uint64_t seed = 1) {
    Observer silent;
    const TrainOptions options{.seed = seed, .iterations = 8, .branches = branches};
    return train_tree(rows, options, choice_of(find_level(level), shared_device()), silent);
}

void check_same(const Training &one, const Training &other) {
    CHECK(one.vocabulary.values == other.vocabulary.values);
    CHECK(one.words == other.words);
    CHECK(one.inertia == other.inertia);
    CHECK(one.tree->children == other.tree->children);
    for (std::size_t level = 0; level + 1 < one.tree->depth(); ++level)
        CHECK(one.tree->inner[level].values == other.tree->inner[level].values);
}

} // namespace

TEST_CASE("tree: descending gives the training's words, and each leaf has one") {
    const Descriptors rows = random_descriptors(3000, 8, 1);
    for (const std::vector<std::size_t> &branches :
         {std::vector<std::size_t>{4, 5}, {3, 3, 3}, {2, 2, 2, 2, 2}, {40, 3}}) {
        const Training training = grown(rows, branches);
        const VocabularyTree &tree = *training.tree;
        REQUIRE(tree.depth() == branches.size());
        CHECK(tree.words() == training.vocabulary.size());
        for (std::size_t level = 0; level < branches.size(); ++level)
            for (const std::uint32_t children : tree.children[level])
                CHECK((children >= 1 && children <= branches[level]));
        CHECK(descended(rows, tree, training.vocabulary) == training.words);
        const std::set<std::int32_t> used(training.words.begin(), training.words.end());
        CHECK(used.size() == training.vocabulary.size());
        double inertia = 0;
        for (std::size_t row = 0; row < rows.size(); ++row)
            inertia += squared_distance(
                rows.row(row),
                training.vocabulary.row(static_cast<std::size_t>(training.words[row])));
        CHECK(training.inertia == Approx(inertia));
    }
}

TEST_CASE("tree: its first level is k-means of as many words") {
    Observer silent;
    const Descriptors rows = random_descriptors(2000, 6, 2);
    const Training flat = train(rows, {.k = 7, .seed = 5, .iterations = 8},
                                choice_of(find_level("simd"), nullptr), silent);
    const Training tree = grown(rows, {7, 4}, "simd", 5);
    CHECK(tree.tree->inner.front().values == flat.vocabulary.values);
    CHECK(grown(rows, {7, 4}, "simd", 6).vocabulary.values != tree.vocabulary.values);
}

TEST_CASE("tree: a child's rows are nearest to its parent") {
    const Descriptors rows = random_descriptors(900, 4, 3);
    const Training training = grown(rows, {3, 4});
    std::size_t first = 0; // leaf
    for (std::size_t node = 0; node < 3; ++node) {
        const std::size_t end = first + training.tree->children[1][node];
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const auto leaf = static_cast<std::size_t>(training.words[row]);
            if (leaf < first || leaf >= end) continue;
            for (std::size_t other = 0; other < 3; ++other)
                CHECK(squared_distance(rows.row(row), training.tree->inner[0].row(node)) <=
                      squared_distance(rows.row(row), training.tree->inner[0].row(other)));
        }
        first = end;
    }
}

TEST_CASE("tree: a node with fewer distinct rows than children has fewer") {
    Descriptors rows{2, {}};
    for (int i = 0; i < 60; ++i) // three clumps: of one, two and many distinct rows
        for (const float value : {i % 3 == 0   ? 100.0F
                                  : i % 3 == 1 ? -100.0F - static_cast<float>(i / 3 % 2)
                                               : static_cast<float>(i) * 0.01F,
                                  0.0F})
            rows.values.push_back(value);
    const Training training = grown(rows, {3, 4});
    std::vector<std::uint32_t> children = training.tree->children[1];
    std::ranges::sort(children);
    CHECK(children == std::vector<std::uint32_t>{1, 2, 4});
    CHECK(training.vocabulary.size() == 7);
    CHECK(descended(rows, *training.tree, training.vocabulary) == training.words);
    const Training same = grown({2, std::vector<float>(40, 0.5F)}, {3, 4});
    CHECK(same.vocabulary.values == std::vector<float>{0.5F, 0.5F});
    CHECK(same.tree->children == std::vector<std::vector<std::uint32_t>>{{1}, {1}});
}

TEST_CASE("tree: the same for any level, device and number of threads") {
    const Descriptors rows = random_descriptors(70'000, 5, 4); // the root on the level
    const Training expected = grown(rows, {5, 4, 3});
    for (const std::string_view level : {"openmp", "gpu2", "gpu6"})
        check_same(grown(rows, {5, 4, 3}, level), expected);
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    check_same(grown(rows, {5, 4, 3}), expected);
}

TEST_CASE("tree: fewer descriptors than leaves are refused") {
    CHECK_THROWS_WITH(grown(random_descriptors(11, 3, 1), {3, 4}),
                      "11 descriptors cannot make 12 words; give more of them or a smaller --tree");
    CHECK(grown(random_descriptors(12, 3, 1), {3, 4}).words.size() == 12);
}

TEST_CASE("tree: an interrupted training ends") {
    struct Stopping : Observer {
        bool interrupted() const override { return true; }
    } stopping;
    const TrainOptions options{.branches = {4, 4}};
    CHECK_THROWS_AS(train_tree(random_descriptors(500, 3, 1), options,
                               choice_of(find_level("simd"), nullptr), stopping),
                    Error);
}

// The screen of the level openmp, for each generation of vector units that this CPU has.
#include "tests/support/descriptors.hpp"
#include "tests/support/only_target.hpp"

#include <bowhist/assign/host/host_search.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

#include <functional>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Checks each word; calls `check` with how many rows the screen left to the rule.
void search(const Descriptors &descriptors, const Vocabulary &vocabulary,
            const std::function<void(std::uint64_t unproven)> &check) {
    for_each_target([&](const std::string &target) {
        INFO(target << ", D " << vocabulary.dimensions << ", k " << vocabulary.size());
        std::vector<std::int32_t> words(descriptors.size(), -1);
        check(make_openmp_search(vocabulary, 2, 1).search(descriptors.values, words, 2));
        for (std::size_t row = 0; row < words.size(); ++row)
            REQUIRE(words[row] == nearest(descriptors.row(row), vocabulary));
    });
}

} // namespace

TEST_CASE("openmp: any number of words and dimensions, almost every ordinary row proven") {
    for (const std::size_t k : {2, 63, 64, 65, 200})
        for (const std::size_t dimensions : {8, 17, 64})
            search(random_descriptors(300, dimensions, 1), random_vocabulary(k, dimensions, 2),
                   [](std::uint64_t unproven) { CHECK(unproven < 15); });
}

TEST_CASE("openmp: the rule decides ties and near ties") {
    const Vocabulary vocabulary = random_vocabulary(100, 64, 3);
    search(random_descriptors(100, 64, 4), words_repeated(vocabulary, 2),
           [](std::uint64_t unproven) { CHECK(unproven == 100); });
    search(nearly_tied(vocabulary, 1000, 5), vocabulary, [](std::uint64_t) {});
}

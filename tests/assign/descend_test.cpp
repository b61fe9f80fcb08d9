// Words by descending a tree are those of the definition, to the last tie.
#include "tests/support/trees.hpp"

#include <bowhist/assign/choose/choice.hpp>

#include <catch2/catch.hpp>

#include <cfenv>
#include <cmath>
#include <limits>
#include <memory>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::vector<std::int32_t> found(const Descriptors &rows, const GrownTree &grown, int threads = 2,
                                const std::string &level = "auto") {
    LevelRequest request{.level = level};
    request.options.threads = threads;
    request.options.tree = std::make_shared<const VocabularyTree>(grown.tree);
    const LevelChoice choice = choose_level(request, rows.dimensions, grown.words.size());
    return choice.prepare(grown.words)->run({rows.values, {}, 1}).words;
}

} // namespace

TEST_CASE("descend: words are those of the definition, on any number of threads") {
    for (const std::size_t dimensions : {1, 5, 64, 100})
        for (const std::size_t levels : {1, 2, 3})
            for (const std::size_t most : {2, 9, 70}) {
                const GrownTree grown =
                    random_tree(levels, levels == 3 ? std::min<std::size_t>(most, 9) : most,
                                dimensions, static_cast<unsigned>(dimensions + most));
                const Descriptors rows = random_descriptors(300, dimensions, 7);
                const auto expected = descended(rows, grown.tree, grown.words);
                INFO(dimensions << " dimensions, " << levels << " levels of up to " << most);
                for (const int threads : {1, 2, 5}) CHECK(found(rows, grown, threads) == expected);
                CHECK(found(rows, grown, 1, "serial") == expected);
            }
}

TEST_CASE("descend: of equal children the first, and rows between two by the rule's last bit") {
    GrownTree grown = random_tree(2, 40, 16, 3);
    for (Vocabulary *nodes : {&grown.tree.inner.front(), &grown.words})
        for (std::size_t i = 0; i < nodes->values.size(); ++i) // neighbors are equal
            nodes->values[i] = std::round(nodes->values[i / 32 * 32 + i % 16] * 2);
    Descriptors rows{16, {}};
    for (std::size_t a = 0; a + 1 < grown.words.size(); a += 3)
        for (std::size_t i = 0; i < 16; ++i)
            rows.values.push_back((grown.words.row(a)[i] + grown.words.row(a + 1)[i]) / 2);
    CHECK(found(rows, grown) == descended(rows, grown.tree, grown.words));
}

TEST_CASE("descend: float32 that rounds decides nothing") {
    // In float32 all of these are equally far; the rule knows better.
    GrownTree grown;
    grown.tree.children = {{2}, {2, 2}};
    grown.tree.inner = {{2, {1e6F, 0, 1e6F, 1}}};
    grown.words = {2, {1e6F, 3, 1e6F, 2, 1e6F, 1, 1e6F, 2}};
    const Descriptors rows{2, {0, 0.6F, 0, 0.4F, 1, 1.4F, 1, 1.6F}};
    CHECK(found(rows, grown) == descended(rows, grown.tree, grown.words));
    CHECK(found(rows, grown) == std::vector<std::int32_t>{2, 1, 2, 3});
}

TEST_CASE("descend: a row with NaN or infinity is the first word, as everywhere") {
    const GrownTree grown = random_tree(3, 5, 4, 9);
    Descriptors rows = random_descriptors(20, 4, 5);
    const auto expected = found(rows, grown);
    rows.values[5] = std::numeric_limits<float>::quiet_NaN();
    rows.values[9 * 4] = std::numeric_limits<float>::infinity();
    auto words = found(rows, grown);
    CHECK(words[1] == 0);
    CHECK(words[9] == 0);
    for (std::size_t row = 0; row < words.size(); ++row)
        if (row != 1 && row != 9) CHECK(words[row] == expected[row]);
}

TEST_CASE("descend: the caller's rounding does not reach the words") {
    const GrownTree grown = random_tree(2, 20, 8, 4);
    const Descriptors rows = random_descriptors(500, 8, 6);
    const auto expected = found(rows, grown);
    for (const int mode : {FE_UPWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        const auto words = found(rows, grown);
        std::fesetround(FE_TONEAREST);
        CHECK(words == expected);
    }
}

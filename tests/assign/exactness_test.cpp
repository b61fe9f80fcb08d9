// Every level against every kind of data that tests/measure/exactness.cpp takes millions of.
#include "tests/support/adversarial.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/words_by_rule.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// More words, fewer rows: a slow level on a CPU shall not take all day.
std::size_t rows_for(const Kind &kind) {
    return kind.words > 64 ? 500 : 2000;
}

} // namespace

TEST_CASE("exactness: every level gives the rule's words, whatever the kind of data") {
    for (const Kind &kind : kinds()) {
        const Vocabulary words = draw_words(kind, 1);
        const Descriptors rows = draw_rows(kind, words, rows_for(kind), 2);
        const auto expected = words_by_rule(rows, words);
        INFO(kind.name << ", D " << kind.dimensions << ", k " << kind.words);
        CHECK(words_by_vector_rule(rows, words) == expected);
        std::vector<std::uint32_t> counts(words.size(), 0);
        for (const std::int32_t word : expected) ++counts[static_cast<std::size_t>(word)];
        for (const Level &level : levels()) {
            if (level.obstacle(shared_device().get(), kind.dimensions, kind.words)) continue;
            INFO("level " << level.id);
            const Assignment result = assign(level, shared_device(), rows, words);
            CHECK(result.words == expected);
            CHECK(result.histograms == counts);
        }
    }
}

TEST_CASE("exactness: without a bound every screening level is wrong somewhere") {
    std::map<std::string_view, int> fooled;
    for (const Kind &kind : kinds()) {
        if (kind.name != "nearly tied" && kind.name != "one ulp apart") continue;
        const Vocabulary words = draw_words(kind, 3);
        const Descriptors rows = draw_rows(kind, words, rows_for(kind), 4);
        const auto expected = words_by_rule(rows, words);
        for (const Level &level : levels_here())
            if (!level.obstacle(shared_device().get(), kind.dimensions, kind.words))
                fooled[level.id] +=
                    assign(level, shared_device(), rows, words, {.bound_scale = 1e-3}).words !=
                            expected
                        ? 1
                        : 0;
    }
    for (const auto &[id, kinds_wrong] : fooled) {
        INFO("level " << id);
        CHECK((kinds_wrong > 0) == (id != "serial"));
    }
}

TEST_CASE("exactness: rows do not depend on how many are drawn") {
    for (const Kind &kind : kinds()) {
        const Vocabulary words = draw_words(kind, 5);
        CHECK(words.size() == kind.words);
        const Descriptors few = draw_rows(kind, words, 300, 6);
        const Descriptors many = draw_rows(kind, words, 700, 6);
        CHECK(std::equal(few.values.begin(), few.values.end(), many.values.begin()));
        CHECK(std::ranges::all_of(many.values, [](float value) { return std::isfinite(value); }));
        CHECK(draw_rows(kind, words, 300, 6, 1).values != few.values);
    }
}

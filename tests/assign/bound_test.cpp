// The bound holds against data made to fool float32, and a smaller one would not.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/traps.hpp"

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr std::size_t dimensions = 64;

/// The traps lie in wait for sums in order. A compiler may add up a lone row in parts (Intel's
/// does), but not rows that fill its vectors.
constexpr std::size_t copies = 64;

/// How many of the traps a level falls into.
int fooled(const Level &level, double bound_scale) {
    int wrong = 0;
    for (const Trap &trap : traps()) {
        Descriptors rows{dimensions, {}};
        for (std::size_t copy = 0; copy < copies; ++copy)
            std::ranges::copy(trap.row.values, std::back_inserter(rows.values));
        const Assignment result =
            assign(level, shared_device(), rows, trap.vocabulary, {.bound_scale = bound_scale});
        const int word = nearest(trap.row.row(0), trap.vocabulary);
        wrong +=
            std::ranges::all_of(result.words, [&](int found) { return found == word; }) ? 0 : 1;
    }
    return wrong;
}

} // namespace

TEST_CASE("bound: no level falls into a rounding trap") {
    for (const Level &level : levels_here()) {
        INFO("level " << level.id);
        CHECK(fooled(level, 1) == 0);
    }
}

TEST_CASE("bound: planted ten times too small, every screening level falls") {
    for (const Level &level : levels_here()) {
        if (level.id == "serial") continue; // it screens nothing
        INFO("level " << level.id);
        CHECK(fooled(level, 0.1) > 0);
    }
}

TEST_CASE(
    "bound: grows with the dimension and proves nothing where float32 sums lose all meaning") {
    CHECK(float32_bound(64).relative >= 68 * std::ldexp(1.0, -24));
    CHECK(float32_bound(64).relative < 69 * std::ldexp(1.0, -24));
    CHECK(float32_bound(128).relative > float32_bound(64).relative);
    CHECK(std::isinf(float32_bound(std::size_t{1} << 24).relative));
}

TEST_CASE("bound: a score in float32 stays within half the margin, whatever the scale") {
    for (const float x_scale : {1e-44F, 1e-38F, 1e-25F, 1e-19F, 1.0F, 1e10F, 1e19F, 1e30F})
        for (const float c_scale : {1e-44F, 1e-38F, 1e-25F, 1e-19F, 1.0F, 1e10F, 1e18F, 1e30F}) {
            const Descriptors descriptors = random_descriptors(20, dimensions, 1, x_scale);
            const Vocabulary vocabulary = random_vocabulary(5, dimensions, 2, c_scale);
            const DotBound bound = dot_bound(vocabulary);
            for (std::size_t row = 0; row < descriptors.size(); ++row)
                for (std::size_t j = 0; j < vocabulary.size(); ++j) {
                    const auto c = vocabulary.row(j);
                    float score = score_start(c);
                    float squares = 0;
                    long double exact = 0; // sixty-four bits, and no overflow
                    for (std::size_t i = 0; i < dimensions; ++i) {
                        const float x = descriptors.row(row)[i];
                        score += x * c[i];
                        squares += x * x;
                        exact += static_cast<long double>(c[i]) *
                                 (x - static_cast<long double>(c[i]) / 2);
                    }
                    INFO("scales " << x_scale << ", " << c_scale);
                    const float margin = bound.margin(std::sqrt(squares));
                    CHECK((std::isinf(margin) || std::abs(score - exact) <= margin / 2));
                }
        }
}

TEST_CASE("bound: of scores proves nothing where they might overflow") {
    const Vocabulary ordinary = random_vocabulary(10, dimensions, 3);
    const DotBound bound = dot_bound(ordinary);
    CHECK(bound.margin(8) < 2e-3F);
    CHECK(dot_bound(ordinary, 0.1).margin(8) == Approx(bound.margin(8) / 10));
    for (const float norm :
         {1e20F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
        CHECK(std::isinf(bound.margin(norm)));
    CHECK(std::isinf(dot_bound(random_vocabulary(10, dimensions, 3, 1e25F)).margin(0)));
    CHECK(std::isinf(dot_bound({std::size_t{1} << 23, std::vector<float>(1 << 23)}).margin(0)));
    CHECK(std::isfinite(dot_bound({1, {0.0F}}).margin(1)));
}

// VLAD rows, against their definition in plain float64.
#include "tests/support/descriptors.hpp"
#include "tests/support/words_by_rule.hpp"

#include <bowhist/encode/vlad.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr std::size_t D = 10;

struct Scene {
    Vocabulary words = random_vocabulary(7, D, 1);
    Descriptors rows = random_descriptors(200, D, 2);
    std::vector<std::int32_t> assigned = words_by_rule(rows, words);
    VladEncoder encoder{words, vlad_exponent(4)};
};

std::vector<double> by_definition(const Scene &scene) {
    std::vector<double> sums(scene.words.values.size());
    for (std::size_t i = 0; i < scene.rows.size(); ++i) {
        const auto word = static_cast<std::size_t>(scene.assigned[i]);
        for (std::size_t d = 0; d < D; ++d)
            sums[word * D + d] += double{scene.rows.row(i)[d]} - double{scene.words.row(word)[d]};
    }
    for (std::size_t word = 0; word < sums.size() / D; ++word) {
        double square = 0;
        for (std::size_t d = 0; d < D; ++d) square += sums[word * D + d] * sums[word * D + d];
        for (std::size_t d = 0; d < D && square > 0; ++d) sums[word * D + d] /= std::sqrt(square);
    }
    double square = 0;
    for (double &value : sums) {
        value = value < 0 ? -std::sqrt(-value) : std::sqrt(value);
        square += value * value;
    }
    for (double &value : sums) value /= std::sqrt(square);
    return sums;
}

double length_of(const std::vector<float> &row) {
    return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

} // namespace

TEST_CASE("vlad: a row is what the definition says") {
    const Scene scene;
    const std::vector<float> row = scene.encoder.encode(scene.rows.values, scene.assigned);
    const std::vector<double> expected = by_definition(scene);
    REQUIRE(row.size() == expected.size());
    for (std::size_t i = 0; i < row.size(); ++i)
        CHECK(row[i] == Approx(expected[i]).margin(2e-4)); // roots enlarge what rounding leaves
    CHECK(length_of(row) == Approx(1));
}

TEST_CASE("vlad: the order of an image's rows does not matter, not by a bit") {
    Scene scene;
    const std::vector<float> row = scene.encoder.encode(scene.rows.values, scene.assigned);
    Descriptors reversed{D, {}};
    for (std::size_t i = scene.rows.size(); i-- > 0;)
        reversed.values.insert(reversed.values.end(), scene.rows.row(i).begin(),
                               scene.rows.row(i).end());
    std::ranges::reverse(scene.assigned);
    CHECK(scene.encoder.encode(reversed.values, scene.assigned) == row);
}

TEST_CASE("vlad: images without differences have zeros") {
    const Scene scene;
    const auto is_zero = [](const std::vector<float> &row) {
        return std::ranges::all_of(row, [](float value) { return value == 0; });
    };
    CHECK(is_zero(scene.encoder.encode({}, {})));
    CHECK(is_zero(scene.encoder.encode(scene.words.row(3), std::vector<std::int32_t>{3})));
}

TEST_CASE("vlad: values beyond the bound, and NaN, stay finite") {
    const Scene scene;
    std::vector<float> row(D, std::numeric_limits<float>::quiet_NaN());
    row[1] = std::numeric_limits<float>::infinity();
    row[2] = -std::numeric_limits<float>::max();
    const std::vector<float> made = scene.encoder.encode(row, std::vector<std::int32_t>{0});
    CHECK(length_of(made) == Approx(1));
    CHECK(made[2] < 0);
}

TEST_CASE("vlad: the exponent brings the largest value below 2^20") {
    for (const float largest : {1.0F, 0.999F, 3.7F, 1e-30F, 1e30F}) {
        const double scaled = std::ldexp(double{largest}, vlad_exponent(largest));
        CHECK(scaled >= 0x1p19);
        CHECK(scaled < 0x1p20);
    }
    CHECK(vlad_exponent(0) == 0);
}

TEST_CASE("vlad: whole rows are the rows, rounded") {
    const std::vector<float> row = {0.6F, -0.8F, 0, 1.5F / 32'000, -2};
    CHECK(whole_row(row) == std::vector<std::int16_t>{19'200, -25'600, 0, 2, -32'000});
}

// gpu6 in 16-bit integers: the screen, its second look in float32, and what it leaves.
#include "tests/support/adversarial.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/traps.hpp"

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/assign/host/simd/integer_words.hpp>
#include <bowhist/assign/rule.hpp>

#include <catch2/catch.hpp>

#include <cmath>

#include <algorithm>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

const TileShape &integer_shape() {
    return *std::ranges::find(tile_shapes(), true, &TileShape::integers);
}

bool suits(const Vocabulary &vocabulary) {
    return vocabulary.dimensions % 4 == 0 && shared_device()->limits().fp64 &&
           pack_integers(vocabulary, {integer_shape().columns, 1}, 1).has_value();
}

struct Result {
    Assignment assignment;
    std::uint64_t by_rule = 0;
};

Result search(const Descriptors &descriptors, const Vocabulary &vocabulary,
              double bound_scale = 1) {
    DeviceAssigner assigner(shared_device(),
                            [](const std::shared_ptr<Device> &device, const Vocabulary &words,
                               const Buffer<float> &centroids, const AssignOptions &options) {
                                return make_integer_tile_screen(device, integer_shape(), words,
                                                                centroids, options);
                            },
                            vocabulary, {.bound_scale = bound_scale});
    Assignment assignment = assigner.run({descriptors.values, {}, 1});
    return {std::move(assignment), assigner.report().unproven};
}

void check_exact(const Descriptors &descriptors, const Vocabulary &vocabulary) {
    const Assignment expected = assign(find_level("serial"), nullptr, descriptors, vocabulary);
    const Assignment found = search(descriptors, vocabulary).assignment;
    CHECK(found.words == expected.words);
    CHECK(found.histograms == expected.histograms);
}

/// Every row of another size, from 2^-60 to 2^60 of what it was.
Descriptors of_all_sizes(Descriptors descriptors) {
    for (std::size_t row = 0; row < descriptors.size(); ++row)
        for (std::size_t i = 0; i < descriptors.dimensions; ++i) {
            float &value = descriptors.values[row * descriptors.dimensions + i];
            value = std::ldexp(value, static_cast<int>(row * 7 % 121) - 60);
        }
    return descriptors;
}

} // namespace

TEST_CASE("integer tiles: exact for every adversarial kind whose words suit them") {
    std::size_t suited = 0;
    for (const Kind &kind : kinds()) {
        const Vocabulary vocabulary = draw_words(kind, 1);
        if (!suits(vocabulary)) continue;
        ++suited;
        INFO(kind.name << ", D " << kind.dimensions << ", k " << kind.words);
        check_exact(draw_rows(kind, vocabulary, 500, 2), vocabulary);
    }
    CHECK(suited > 20);
}

TEST_CASE("integer tiles: exact for any number of words and dimensions") {
    for (const std::size_t dimensions : {4, 8, 12, 64, 128, 512})
        for (const std::size_t k : {1, 63, 65, 1000}) {
            INFO("D " << dimensions << ", k " << k);
            check_exact(random_descriptors(100, dimensions, 3),
                        random_vocabulary(k, dimensions, 4));
        }
}

TEST_CASE("integer tiles: exact for rows of any size, each by its own scale") {
    for (const float scale : {1e-6F, 1.0F, 1e6F}) {
        const Vocabulary vocabulary = random_vocabulary(80, 64, 5, scale);
        REQUIRE(suits(vocabulary));
        for (const float row_scale : {1e-45F, 1e-30F, 1e-8F, 1.0F, 1e8F, 1e19F, 1e30F, 3e37F})
            check_exact(random_descriptors(60, 64, 6, row_scale), vocabulary);
        check_exact(of_all_sizes(random_descriptors(300, 64, 7)), vocabulary);
        check_exact(of_all_sizes(nearly_tied(vocabulary, 300, 8)), vocabulary);
    }
}

TEST_CASE("integer tiles: zero rows and zero words") {
    Vocabulary vocabulary = random_vocabulary(40, 64, 9);
    std::fill_n(vocabulary.values.begin() + 7 * 64, 64, 0.0F);
    check_exact({64, std::vector<float>(50 * 64)}, vocabulary);
    const std::vector<float> nothing(40 * 64);
    CHECK_FALSE(suits({64, nothing}));
}

TEST_CASE("integer tiles: the rule decides near ties in place, and few other rows") {
    const Vocabulary vocabulary = random_vocabulary(200, 64, 10);
    CHECK(search(random_descriptors(2000, 64, 11), vocabulary).by_rule < 20);
    const Descriptors tied = nearly_tied(vocabulary, 500, 12);
    CHECK(search(tied, vocabulary).by_rule > 100);
    check_exact(tied, vocabulary);
}

TEST_CASE("integer tiles: rows with more near words than one look takes are left to the rule") {
    const Vocabulary once = random_vocabulary(2, 64, 13);
    for (const std::size_t times : {15, 16, 17, 60})
        check_exact(random_descriptors(100, 64, 14), words_repeated(once, times));
}

TEST_CASE("integer tiles: no trap fools them") {
    for (const Trap &trap : traps()) check_exact(trap.row, trap.vocabulary);
}

TEST_CASE("integer tiles: planted too small, the second look's bound lets it err") {
    constexpr std::size_t sums = 4; // list_others() in look_again.cl
    Descriptors row{64, std::vector<float>(64)};
    for (std::size_t i = 0; i < 64; i += sums) row.values[i] = i == 0 ? 2.5F : 1.0F;
    int wrong = 0;
    for (int base = 1; base <= 8; ++base) { // words that are the same in integers
        const Vocabulary vocabulary = product_trap(base, sums);
        check_exact(row, vocabulary);
        wrong +=
            search(row, vocabulary, 0.03).assignment.words[0] != nearest(row.row(0), vocabulary)
                ? 1
                : 0;
    }
    CHECK(wrong > 0);
}

TEST_CASE("integer tiles: planted too small, the bound of integers lets them err") {
    const Vocabulary vocabulary = random_vocabulary(100, 64, 15);
    const Descriptors tied = nearly_tied(vocabulary, 2000, 16);
    const Assignment expected = assign(find_level("serial"), nullptr, tied, vocabulary);
    for (const double bound_scale : {0.0, 0.1})
        CHECK(search(tied, vocabulary, bound_scale).assignment.words != expected.words);
}

TEST_CASE("integer tiles: the level takes floats where words do not suit integers") {
    for (const float scale : {1e-30F, 1e19F, 1e30F}) {
        const Vocabulary vocabulary = random_vocabulary(40, 64, 17, scale);
        CHECK_FALSE(suits(vocabulary));
        const Descriptors descriptors = random_descriptors(50, 64, 18, scale);
        if (find_level("gpu6").obstacle(shared_device().get(), 64, 40)) continue;
        CHECK(assign(find_level("gpu6"), shared_device(), descriptors, vocabulary).words ==
              assign(find_level("serial"), nullptr, descriptors, vocabulary).words);
    }
}

TEST_CASE("integer tiles: words that rounding makes alike do not fool them") {
    // Every coordinate of a scales to 3996.004, of b to 3995.51: the same integer. A row between
    // the two, nearer to a, scores b higher by all that rounding b added.
    constexpr std::size_t dimensions = 64;
    const float b = 1 - 0.49F / 3996;
    Vocabulary vocabulary{dimensions, std::vector<float>(dimensions, 1)};
    vocabulary.values.resize(2 * dimensions, b);
    const Descriptors row{dimensions, std::vector<float>(dimensions, (1 + b) / 2 + 1e-6F)};
    REQUIRE(nearest(row.row(0), vocabulary) == 0);
    check_exact(row, vocabulary);
}

/// Whole numbers, one much like the other, of the longest norm that has a scale of 1.
std::vector<float> longest_whole_row(std::size_t dimensions) {
    std::vector<float> row(dimensions);
    double square = std::pow(longest_integer_row / 1.001, 2);
    for (std::size_t i = 0; i < dimensions; ++i) {
        const auto left = static_cast<double>(dimensions - i);
        const double ramp = 0.55 + 0.9 * static_cast<double>(i) / static_cast<double>(dimensions);
        const double share = left > 4 ? std::min(1.0, ramp / std::sqrt(left)) : left > 1 ? 0.5 : 1;
        row[i] = static_cast<float>(std::floor(std::sqrt(square) * share));
        square -= std::pow(row[i], 2);
    }
    return row;
}

TEST_CASE("integer tiles: numbers in the low bits of scores do not fool them") {
    // Rows and words are whole numbers at a scale of 1, so nothing is lost but the low bits: of two
    // words the lower is nearer by less than what the higher's number adds.
    constexpr std::size_t dimensions = 64;
    constexpr std::size_t k = 65536;
    std::vector<float> row = longest_whole_row(dimensions);
    Vocabulary vocabulary{dimensions, std::vector<float>(k * dimensions)};
    for (std::size_t i = 0; i < dimensions; ++i) {
        vocabulary.values[dimensions + i] = -row[i];
        vocabulary.values[i] = vocabulary.values[(k - 1) * dimensions + i] = 1000;
    }
    vocabulary.values[(k - 1) * dimensions] -= 5;
    Descriptors rows{dimensions, {}};
    for (std::size_t turn = 0; turn < dimensions; ++turn) {
        std::ranges::rotate(row, row.begin() + 1);
        rows.values.insert(rows.values.end(), row.begin(), row.end());
    }
    check_exact(rows, vocabulary);
}

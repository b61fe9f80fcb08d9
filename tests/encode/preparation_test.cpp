// Prepared rows: steps as text, and what they make, against plain references.
#include "tests/support/descriptors.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/logarithm.hpp>
#include <bowhist/core/preparation.hpp>
#include <bowhist/encode/mirrored.hpp>
#include <bowhist/encode/moments.hpp>
#include <bowhist/encode/preparation.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr auto default_steps = "root,whiten:48,position,scale,contrast,mirror";

std::string canonical(std::string_view text) {
    return as_text(parse_preparation(text));
}

/// Rows whose values depend on each other, with keypoints in an image of 200 × 100.
Descriptors dependent_rows(std::size_t n, std::size_t dimensions = 64) {
    Descriptors rows = random_descriptors(n, dimensions, 3);
    std::mt19937 engine(4);
    std::uniform_real_distribution<float> number(0, 1);
    for (std::size_t i = 0; i < n; ++i) {
        float *row = rows.values.data() + i * dimensions;
        for (std::size_t j = 1; j < dimensions; ++j)
            row[j] += row[j - 1] * 0.5F + static_cast<float>(j % 5);
        rows.keypoints.push_back({200 * number(engine), 100 * number(engine),
                                  0.4F + 3 * number(engine), 0, 60 * number(engine)});
    }
    return rows;
}

Preparation learned(const char *steps, const Descriptors &rows) {
    const PreparationSteps parsed = parse_preparation(steps);
    Observer silent;
    return learn_preparation(parsed, with_places(parsed, rows, 200, 100), Mirroring::columns,
                             silent);
}

double mean_of(const Descriptors &rows, std::size_t column) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += rows.row(i)[column];
    return sum / static_cast<double>(rows.size());
}

double covariance_of(const Descriptors &rows, std::size_t a, std::size_t b) {
    const double mean_a = mean_of(rows, a);
    const double mean_b = mean_of(rows, b);
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        sum += (rows.row(i)[a] - mean_a) * (rows.row(i)[b] - mean_b);
    return sum / static_cast<double>(rows.size());
}

} // namespace

TEST_CASE("preparation: steps are read and written in one way") {
    for (const auto *text : {"", "root", "whiten", "whiten:48,root", default_steps,
                             "root,whiten,position:1.5,scale:0.25,contrast:2,mirror", "mirror"})
        CHECK(canonical(text) == text);
    CHECK(canonical("whiten:064,position:1.0") == "whiten:64,position");
}

TEST_CASE("preparation: steps that make no sense are refused") {
    for (const auto *text : {"rot",          "root,",        ",root",           "root,,mirror",
                             "root,root",    "mirror,root",  "position,whiten", "mirror,position",
                             "whiten:0",     "whiten:",      "whiten:4097",     "whiten:1.5",
                             "whiten:-1",    "root:2",       "mirror:1",        "position:0",
                             "position:nan", "position:inf", "position:-1",     "position:1e9",
                             "scale:",       "root whiten"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_preparation(text), Error);
    }
}

TEST_CASE("preparation: the logarithm is near the library's, and exact for powers of two") {
    for (double x = 0x1p-64; x <= 0x1p64; x *= 1.037) {
        INFO(x);
        CHECK(std::abs(logarithm_of_2(x) - std::log2(x)) < 1e-12);
    }
    for (int exponent = -64; exponent <= 64; ++exponent)
        CHECK(logarithm_of_2(std::ldexp(1.0, exponent)) == exponent);
    CHECK(logarithm_of_2(0) == -64);
    CHECK(logarithm_of_2(-1) == -64);
    CHECK(logarithm_of_2(std::numeric_limits<double>::infinity()) == 64);
    CHECK(logarithm_of_2(std::numeric_limits<double>::quiet_NaN()) == 64);
}

TEST_CASE("preparation: root takes signed square roots to unit length") {
    const Descriptors rows{4, {1, -4, 0, 4, 0, 0, 0, 0}};
    const Descriptors made = prepare(learned("root", rows), rows, 200, 100);
    const std::vector<float> expected = {1.0F / 3, -2.0F / 3, 0, 2.0F / 3, 0, 0, 0, 0};
    REQUIRE(made.values.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(made.values[i] == Approx(expected[i]).margin(1e-7));
}

TEST_CASE("preparation: whitened rows have no covariance and a variance of 1, largest first") {
    const Descriptors rows = dependent_rows(3000, 12);
    const Descriptors made = prepare(learned("whiten:5", rows), rows, 200, 100);
    REQUIRE(made.dimensions == 5);
    REQUIRE(made.size() == rows.size());
    for (std::size_t a = 0; a < 5; ++a) {
        CHECK(std::abs(mean_of(made, a)) < 1e-4);
        for (std::size_t b = 0; b < 5; ++b)
            CHECK(covariance_of(made, a, b) == Approx(a == b ? 1 : 0).margin(1e-3));
    }
    // The first component is the direction of the largest variance: no other row of the
    // projection, times its deviation, explains more.
    const Preparation preparation = learned("whiten", rows);
    double before = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < 12; ++c) {
        double square = 0; // 1/variance, as the direction has unit length
        for (std::size_t i = 0; i < 12; ++i)
            square += std::pow(preparation.projection[i * 12 + c], 2);
        CHECK(1 / square <= before * (1 + 1e-5));
        before = 1 / square;
    }
}

TEST_CASE("preparation: a direction without variance is divided by the least deviation") {
    Descriptors rows = dependent_rows(100, 8);
    for (std::size_t i = 0; i < rows.size(); ++i) rows.values[i * 8 + 7] = 2; // constant
    const Descriptors made = prepare(learned("whiten", rows), rows, 200, 100);
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(std::abs(made.row(i)[7]) < 1e-2);
}

TEST_CASE("preparation: appended numbers follow the formulas, in units of the mean deviation") {
    const Descriptors rows = dependent_rows(500);
    const Preparation preparation = learned("root,position:2,scale,contrast:0.5", rows);
    const Descriptors plain = prepare(learned("root", rows), rows, 200, 100);
    double deviation = 0;
    for (std::size_t i = 0; i < 64; ++i) deviation += std::sqrt(covariance_of(plain, i, i)) / 64;
    CHECK(preparation.deviation == Approx(deviation).epsilon(1e-5));
    const Descriptors made = prepare(preparation, rows, 200, 100);
    REQUIRE(made.dimensions == 68);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Keypoint &at = rows.keypoints[i];
        const auto row = made.row(i);
        CHECK(std::ranges::equal(row.first(64), plain.row(i)));
        CHECK(row[64] == Approx(2 * deviation * ((at.x + 0.5) / 200 - 0.5) / 0.29).margin(1e-5));
        CHECK(row[65] == Approx(2 * deviation * ((at.y + 0.5) / 100 - 0.5) / 0.29).margin(1e-5));
        CHECK(row[66] == Approx(deviation * (std::log2(at.scale / 0.8) - 1)).margin(1e-5));
        const double contrast = std::max(at.response, 0.5F);
        CHECK(row[67] == Approx(0.5 * deviation * (std::log2(contrast) - 4.5) / 1.5).margin(1e-5));
    }
}

TEST_CASE("preparation: mirrored rows follow, and mirroring twice gives the first again") {
    const Descriptors rows = dependent_rows(300);
    const Preparation preparation = learned(default_steps, rows);
    CHECK(preparation.prepared_dimensions() == 52);
    const Descriptors both = prepare(preparation, rows, 200, 100);
    REQUIRE(both.size() == 600);
    Descriptors other = rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        mirror(rows.row(i), Mirroring::columns, std::span(other.values).subspan(i * 64, 64));
        other.keypoints[i].x = 199 - rows.keypoints[i].x;
    }
    const Descriptors swapped = prepare(preparation, other, 200, 100);
    const std::size_t half = 300 * std::size_t{52};
    for (std::size_t i = 0; i < both.values.size(); ++i)
        CHECK(swapped.values[i] == Approx(both.values[(i + half) % (2 * half)]).margin(1e-5));
}

TEST_CASE("preparation: what does not suit the descriptors is refused") {
    const auto steps = parse_preparation("position");
    CHECK_THROWS_AS(with_places(steps, random_descriptors(3, 64, 1), 10, 10), Error);
    CHECK_NOTHROW(with_places(parse_preparation("root"), random_descriptors(3, 64, 1), 10, 10));
    const Descriptors rows = random_descriptors(100, 64, 1);
    const auto refused = [](const char *text, const Descriptors &some, Mirroring mirroring) {
        Observer silent;
        CHECK_THROWS_AS(learn_preparation(parse_preparation(text), some, mirroring, silent), Error);
    };
    refused("whiten:65", rows, Mirroring::columns);
    refused("mirror", rows, Mirroring::none);
    refused("mirror", random_descriptors(9, 128, 1), Mirroring::columns);
    CHECK_THROWS_AS(prepared(learned("root", rows), random_descriptors(3, 32, 1)), Error);
    CHECK(prepared(learned("root", rows), {64, {}}).size() == 0);
}

TEST_CASE("preparation: learning ends where the user asks for it") {
    struct Impatient : Observer {
        void progress(std::string_view stage, std::size_t done, std::size_t) override {
            if (stage == "components" && done == 3) stopped = true;
        }
        bool interrupted() const override { return stopped; }
        bool stopped = false;
    };
    const Descriptors rows = dependent_rows(500);
    Impatient in_the_middle;
    CHECK_THROWS_AS(
        learn_preparation(parse_preparation("whiten"), rows, Mirroring::none, in_the_middle),
        Error);
    Impatient before;
    before.stopped = true;
    CHECK_THROWS_AS(learn_preparation(parse_preparation("whiten"), rows, Mirroring::none, before),
                    Error);
}

TEST_CASE("preparation: numbers that no learning makes are faults") {
    const Preparation whole = learned(default_steps, dependent_rows(300));
    CHECK_FALSE(fault_of(whole));
    for (const double deviation : {-1e-9, -1.0, 1.1e6, 1e300}) {
        Preparation other = whole;
        other.deviation = deviation;
        CHECK_THAT(fault_of(other).value_or(""), Catch::Contains("deviation"));
    }
    Preparation other = whole;
    other.projection[7] = -2e6F;
    CHECK_THAT(fault_of(other).value_or(""), Catch::Contains("projection"));
    Descriptors large = dependent_rows(300);
    for (float &value : large.values) value *= 1e9F;
    CHECK_THROWS_AS(learned("position", large), Error);
}

TEST_CASE("preparation: the numbers of prepared rows are known before") {
    for (const char *text : {"", "root", "whiten", "whiten:7,scale", default_steps}) {
        const auto steps = parse_preparation(text);
        const Descriptors rows = dependent_rows(20);
        const Preparation preparation = learned(text, rows);
        const Descriptors made = prepare(preparation, rows, 200, 100);
        CHECK(made.dimensions == dimensions_after(steps, 64));
        CHECK(made.size() == 20 * rows_after(steps));
    }
}

TEST_CASE("moments: parts are joined in their order, a few at a time") {
    constexpr std::size_t dimensions = 2048;
    const std::size_t at_once = parts_at_once(dimensions);
    CHECK(at_once == 16);
    const std::size_t parts = 2 * at_once + 3;
    const Descriptors rows = random_descriptors(parts, dimensions, 7);
    std::atomic<std::size_t> begun = 0;
    std::atomic<bool> ahead = false;
    const Moments moments = moments_of(parts, dimensions, [&](std::size_t part) {
        if (++begun <= part / at_once * at_once) ahead = true;
        const auto row = rows.row(part);
        return Descriptors{dimensions, {row.begin(), row.end()}};
    });
    CHECK_FALSE(ahead);
    for (std::size_t i = 0; i < dimensions; i += 97)
        for (std::size_t j = 0; j < dimensions; ++j) {
            double mean_i = 0, mean_j = 0, product = 0;
            for (std::size_t row = 0; row < parts; ++row) {
                mean_i += double{rows.row(row)[i]};
                mean_j += double{rows.row(row)[j]};
                product += double{rows.row(row)[i]} * double{rows.row(row)[j]};
            }
            const auto count = static_cast<double>(parts);
            const double expected = product / count - (mean_i / count) * (mean_j / count);
            if (moments.covariance[i * dimensions + j] != expected) FAIL(i << ", " << j);
        }
}

TEST_CASE("preparation: one thread learns the same bits as many") {
    const Descriptors rows = dependent_rows(30'000);
    const Preparation many = learned(default_steps, rows);
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    CHECK(learned(default_steps, rows) == many);
}

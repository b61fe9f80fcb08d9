// Projections and codes, against the eigenvectors of a covariance matrix.
#include "tests/support/descriptors.hpp"

#include <bowhist/encode/code.hpp>
#include <bowhist/encode/moments.hpp>
#include <bowhist/encode/projection.hpp>
#include <bowhist/encode/vlad.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Rows of unit length whose variances fall off, in whole numbers.
WholeRows unit_rows(std::size_t n, std::size_t dimensions, unsigned seed = 1) {
    Descriptors rows = random_descriptors(n, dimensions, seed);
    WholeRows whole{dimensions, {}};
    for (std::size_t i = 0; i < n; ++i) {
        const auto row = std::span(rows.values).subspan(i * dimensions, dimensions);
        double square = 0;
        for (std::size_t d = 0; d < dimensions; ++d) {
            row[d] = row[d] / (1 + static_cast<float>(d)) + (d == 0 ? 1.0F : 0.0F);
            square += double{row[d]} * row[d];
        }
        for (float &value : row) value /= static_cast<float>(std::sqrt(square));
        const auto some = whole_row(row);
        whole.values.insert(whole.values.end(), some.begin(), some.end());
    }
    return whole;
}

Projection learned(const WholeRows &rows, std::size_t components) {
    Observer observer;
    return learn_projection(rows, components, observer);
}

double axis_product(const Projection &projection, std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t d = 0; d < projection.axes.dimensions; ++d)
        sum += 1.0 * projection.axes.row(a)[d] * projection.axes.row(b)[d];
    return sum / (32'000.0 * 32'000.0);
}

bool is_zero(std::span<const std::int16_t> axis) {
    return std::ranges::all_of(axis, [](auto value) { return value == 0; });
}

/// Of the plain covariance matrix.
Eigenvectors reference(const WholeRows &rows) {
    const std::size_t size = rows.dimensions;
    const auto n = static_cast<double>(rows.size());
    std::vector<double> mean(size);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t d = 0; d < size; ++d) mean[d] += rows.row(i)[d] / n;
    std::vector<double> covariance(size * size);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t a = 0; a < size; ++a)
            for (std::size_t b = 0; b < size; ++b)
                covariance[a * size + b] +=
                    (rows.row(i)[a] - mean[a]) * (rows.row(i)[b] - mean[b]) / n;
    Observer silent;
    return eigenvectors_of(covariance, size, silent);
}

} // namespace

TEST_CASE("eigenvectors: they are unit vectors, at right angles, that the matrix only stretches") {
    for (const std::size_t n : {1, 2, 7, 40}) {
        const Descriptors random = random_descriptors(n, n, 5);
        std::vector<double> matrix(n * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                matrix[i * n + j] = random.row(i)[j] + random.row(j)[i];
        Observer silent;
        const Eigenvectors found = eigenvectors_of(matrix, n, silent);
        for (std::size_t a = 0; a < n; ++a) {
            if (a > 0) CHECK(found.values[a] <= found.values[a - 1]);
            for (std::size_t b = 0; b < n; ++b) {
                double product = 0;
                double stretched = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    product += found.vector(a)[i] * found.vector(b)[i];
                    stretched += matrix[b * n + i] * found.vector(a)[i];
                }
                CHECK(product == Approx(a == b ? 1 : 0).margin(1e-12));
                CHECK(stretched == Approx(found.values[a] * found.vector(a)[b]).margin(1e-11));
            }
        }
    }
}

TEST_CASE("projection: its axes are the covariance's eigenvectors") {
    for (const std::size_t n : {30, 300}) {
        const WholeRows rows = unit_rows(n, 20);
        const Projection projection = learned(rows, 6);
        const Eigenvectors expected = reference(rows);
        REQUIRE(projection.axes.size() == 6);
        for (std::size_t c = 0; c < 6; ++c) {
            double product = 0;
            for (std::size_t d = 0; d < 20; ++d)
                product += expected.vector(c)[d] * projection.axes.row(c)[d] / 32'000;
            INFO(n << " rows, component " << c);
            CHECK(std::abs(product) > 0.999);
            for (std::size_t other = 0; other < 6; ++other)
                CHECK(axis_product(projection, c, other) ==
                      Approx(c == other ? 1 : 0).margin(1e-3));
        }
    }
}

TEST_CASE("projection: components are centered, and keep distances") {
    const WholeRows rows = unit_rows(60, 400);
    const Projection projection = learned(rows, 59); // all there are
    std::vector<std::vector<std::int64_t>> made;
    std::vector<double> sums(59);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        made.push_back(project(projection, rows.row(i)));
        for (std::size_t c = 0; c < 59; ++c) sums[c] += static_cast<double>(made.back()[c]);
    }
    for (const double sum : sums) CHECK(std::abs(sum) <= 60);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        double before = 0;
        double after = 0;
        for (std::size_t d = 0; d < 400; ++d)
            before += std::pow(1.0 * rows.row(i)[d] - rows.row(0)[d], 2);
        for (std::size_t c = 0; c < 59; ++c)
            after += std::pow(static_cast<double>(made[i][c] - made[0][c]) / 32'000, 2);
        CHECK(after == Approx(before).epsilon(0.01));
    }
}

TEST_CASE("projection: where there are fewer components, the others are zeros") {
    const WholeRows five = unit_rows(5, 50);
    const Projection projection = learned(five, 8);
    REQUIRE(projection.axes.size() == 8);
    for (std::size_t c = 0; c < 8; ++c) CHECK(is_zero(projection.axes.row(c)) == (c >= 4));
    WholeRows repeated{50, {}}; // of rank 4, but for rounding
    for (std::size_t i = 0; i < 40; ++i)
        repeated.values.insert(repeated.values.end(), five.row(i % 5).begin(),
                               five.row(i % 5).end());
    const Projection four = learned(repeated, 8);
    for (std::size_t c = 0; c < 8; ++c) CHECK(is_zero(four.axes.row(c)) == (c >= 4));
    WholeRows equal{50, {}};
    for (int i = 0; i < 40; ++i)
        equal.values.insert(equal.values.end(), five.row(0).begin(), five.row(0).end());
    for (const WholeRows &rows : {equal, unit_rows(1, 50), WholeRows{50, {}}}) {
        const Projection nothing = learned(rows, 3);
        REQUIRE(nothing.axes.size() == 3);
        for (std::size_t c = 0; c < 3; ++c) CHECK(is_zero(nothing.axes.row(c)));
        CHECK(project(nothing, five.row(1)) == std::vector<std::int64_t>(3));
    }
}

TEST_CASE("projection: one thread learns the same bits as many") {
    const WholeRows rows = unit_rows(150, 3000);
    const Projection many = learned(rows, 40);
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    CHECK(learned(rows, 40) == many);
}

TEST_CASE("projection: learning ends where the user asks to stop") {
    class Stop : public Observer {
        bool interrupted() const override { return true; }
    } stop;
    CHECK_THROWS_AS(learn_projection(unit_rows(40, 50), 3, stop), Error);
}

TEST_CASE("code: the largest magnitude becomes 127, halves are rounded away from 0") {
    CHECK(code_of(std::vector<std::int64_t>{}).empty());
    CHECK(code_of(std::vector<std::int64_t>{0, 0}) == std::vector<std::int8_t>{0, 0});
    CHECK(code_of(std::vector<std::int64_t>{-5, 1}) == std::vector<std::int8_t>{-127, 25});
    CHECK(code_of(std::vector<std::int64_t>{254, 1, -1, 3}) ==
          std::vector<std::int8_t>{127, 1, -1, 2});
    const std::int64_t large = std::int64_t{1} << 54;
    CHECK(code_of(std::vector<std::int64_t>{large, -large, large / 2}) ==
          std::vector<std::int8_t>{127, -127, 64});
}

TEST_CASE("code: likeness is the cosine, and 0 of zeros") {
    const std::vector<std::int8_t> a = {127, 0, -40};
    const std::vector<std::int8_t> b = {-127, 0, 40};
    const std::vector<std::int8_t> across = {0, 127, 0};
    const std::vector<std::int8_t> zeros = {0, 0, 0};
    CHECK(likeness(a, a) == 1);
    CHECK(likeness(a, b) == -1);
    CHECK(likeness(a, across) == 0);
    CHECK(likeness(a, zeros) == 0);
    CHECK(likeness(zeros, zeros) == 0);
}

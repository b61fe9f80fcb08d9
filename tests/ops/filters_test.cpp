#include "bench/cases/filtered.hpp"
#include "tests/support/convolve_reference.hpp"
#include "tests/support/gaussian_reference.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/named_filter.hpp>
#include <bowhist/ops/separable_kernel.hpp>

#include <catch2/catch.hpp>

#include <numeric>
#include <string>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

Filter named(const std::string &name) {
    const auto filter = named_filter(name);
    REQUIRE(filter);
    CHECK_FALSE(fault_of(*filter));
    return *filter;
}

/// What a filter answers in the middle of f(x, y).
template <typename Function>
double answer(const Filter &filter, Function f) {
    double sum = 0;
    for (std::size_t j = 0; j < filter.height; ++j)
        for (std::size_t i = 0; i < filter.width; ++i)
            sum += filter.weights[j * filter.width + i] *
                   f(static_cast<double>(i) - static_cast<double>(filter.width / 2),
                     static_cast<double>(j) - static_cast<double>(filter.height / 2));
    return sum;
}

double flat(double /*x*/, double /*y*/) {
    return 1;
}
double rightwards(double x, double /*y*/) {
    return x;
}
double downwards(double /*x*/, double y) {
    return y;
}

} // namespace

TEST_CASE("filter: what is measured as unseparable is", "[filter]") {
    for (const std::size_t side : {3, 5, 7, 9, 11, 15, 31}) CHECK_FALSE(factors(unseparable(side)));
}

TEST_CASE("filter: means keep a flat picture, gradients make it nothing") {
    for (const char *name :
         {"box", "box:1", "box:31", "gaussian", "gaussian:0.5", "gaussian:5", "sharpen"}) {
        INFO(name);
        CHECK(answer(named(name), flat) == Approx(1).epsilon(1e-6));
    }
    for (const char *name : {"sobel-x", "sobel-y", "scharr-x", "scharr-y", "laplacian"}) {
        INFO(name);
        CHECK(answer(named(name), flat) == 0);
    }
}

TEST_CASE("filter: gradients grow rightwards and downwards") {
    for (const char *kind : {"sobel", "scharr"}) {
        const Filter x = named(std::string(kind) + "-x"), y = named(std::string(kind) + "-y");
        CHECK(answer(x, rightwards) > 0);
        CHECK(answer(x, downwards) == 0);
        CHECK(answer(y, downwards) == answer(x, rightwards));
        CHECK(answer(y, rightwards) == 0);
    }
    CHECK(answer(named("laplacian"), [](double x, double y) { return x * x + y * y; }) == 4);
}

TEST_CASE("filter: a gaussian has its sigma and reaches three of them") {
    const Filter filter = named("gaussian:2");
    CHECK(filter.width == 13);
    CHECK(filter.height == 13);
    // truncated at three sigma, it is a little narrower
    CHECK(answer(filter, [](double x, double) { return x * x; }) == Approx(4).epsilon(0.04));
    CHECK(named("gaussian:5").width == 31);
    CHECK(named("box:7").width == 7);
}

TEST_CASE("filter: parameters out of range name the range; other words are no filters") {
    for (const char *name : {"box:2", "box:0", "box:33", "box:", "box:-3", "box:3.0", "box:3x"})
        CHECK_THROWS_WITH(named_filter(name), Catch::Contains("odd SIZE from 1 to 31"));
    for (const char *name : {"gaussian:0.49", "gaussian:5.01", "gaussian:nan",
                             "gaussian:", "gaussian:inf", "gaussian:-1", "gaussian:1,5"})
        CHECK_THROWS_WITH(named_filter(name), Catch::Contains("SIGMA from 0.5 to 5"));
    for (const char *name : {"", "sobel", "boxes", "sobel-x:3", "./box", "Box", "filter.txt"})
        CHECK_FALSE(named_filter(name));
}

TEST_CASE("filter: products come apart and others do not") {
    for (const char *name :
         {"box:5", "gaussian:3", "gaussian:5", "sobel-x", "sobel-y", "scharr-x"}) {
        INFO(name);
        const Filter filter = named(name);
        const auto apart = factors(filter);
        REQUIRE(apart);
        const Filter again = product(*apart);
        REQUIRE(again.weights.size() == filter.weights.size());
        for (std::size_t i = 0; i < filter.weights.size(); ++i)
            CHECK(again.weights[i] == Approx(filter.weights[i]).epsilon(1e-6));
    }
    for (const char *name : {"laplacian", "sharpen"}) CHECK_FALSE(factors(named(name)));
    CHECK(factors({3, 1, {0, 0, 0}}));
    CHECK(factors({1, 3, {0, 2, 1}}));
    for (unsigned seed = 1; seed <= 50; ++seed)
        CHECK(factors(product(random_factors(31, 31, seed))));
    // Nearly a product is not one: a small weight may be all that a dark image answers to.
    Filter nearly = named("gaussian:3");
    nearly.weights.front() *= 1 + 1e-5F;
    CHECK_FALSE(factors(nearly));
}

TEST_CASE("gaussian: the filter is the Gaussian but for a thousandth", "[gaussian]") {
    for (const double sigma : {0.5, 0.6, 0.8, 1., 1.3, 2., 4., 8., 16., 32., 128., 1000.}) {
        INFO("sigma " << sigma);
        const auto filter = recursive_gaussian(sigma);
        const auto gaussian = true_gaussian(sigma);
        double apart = std::abs(filter[0] - gaussian[0]);
        double sum = filter[0];
        for (std::size_t d = 1; d < filter.size(); ++d) {
            apart += 2 * std::abs(filter[d] - gaussian[d]);
            sum += 2 * filter[d];
        }
        CHECK(sum == Approx(1).margin(1e-7));
        CHECK(apart < 1e-3); // so no line of range 1 can be off by more than half of it
    }
}

TEST_CASE("gaussian: a sigma out of range is refused, and the range named", "[gaussian]") {
    for (const double sigma : {0., 0.49, -1., 10001., HUGE_VAL, std::nan("")})
        CHECK_THROWS_WITH(gaussian_filter(sigma), Catch::Contains("0.5 … 10000"));
    CHECK_NOTHROW(gaussian_filter(0.5));
    CHECK_NOTHROW(gaussian_filter(10000));
}

#include "tests/support/gaussian_reference.hpp"

#include <bowhist/core/error.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

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

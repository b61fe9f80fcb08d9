#include <bowhist/sums/exact_sum.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

using namespace bowhist;

namespace {

double sum_of(const std::vector<double> &numbers) {
    ExactSum sum;
    for (const double number : numbers) sum.add(number);
    return sum.value();
}

} // namespace

TEST_CASE("exact sum: of a few numbers it is what they are") {
    using Limits = std::numeric_limits<double>;
    CHECK(sum_of({}) == 0);
    for (const double number : {0.0, Limits::denorm_min(), 3e-310, Limits::min(), 0.1, 1.0, 0x1p31,
                                0x1p32, 0x1.fffffffffffffp63, 1e300, Limits::max()})
        CHECK(sum_of({number}) == number);
    CHECK(sum_of({1, 0x1p-53, 0x1p-53}) == 1 + 0x1p-52); // float64 would lose both
    CHECK(sum_of({Limits::denorm_min(), 1e300}) == 1e300);
    CHECK(sum_of(std::vector<double>(100'000, 0.1)) == Approx(10'000).epsilon(1e-16));
}

TEST_CASE("exact sum: any order and any parts come to the same bits") {
    std::mt19937_64 engine(1);
    std::vector<double> numbers;
    for (int i = 0; i < 20'000; ++i)
        numbers.push_back(std::ldexp(static_cast<double>(engine()), -static_cast<int>(i % 200)));
    const double expected = sum_of(numbers);
    long double about = 0;
    for (const double number : numbers) about += static_cast<long double>(number);
    CHECK(expected == Approx(static_cast<double>(about)).epsilon(1e-15));
    for (const std::size_t parts : {1, 2, 7, 300}) {
        std::ranges::shuffle(numbers, engine);
        std::vector<ExactSum> sums(parts);
        for (std::size_t i = 0; i < numbers.size(); ++i) sums[i % parts].add(numbers[i]);
        ExactSum all;
        for (const ExactSum &sum : sums) all.join(sum);
        CHECK(all.value() == expected);
    }
}

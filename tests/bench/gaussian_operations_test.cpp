// The operations that docs/bench.md counts for a pixel of the Gaussian, by running the kernels' own
// recursion with numbers that count.

#include "bench/cases/cases.hpp"
#include "tests/support/levels.hpp"

#include <catch2/catch.hpp>

namespace counted {

/// A float that counts the additions, subtractions and products done with it; a sign is free.
struct Counted {
    static inline int operations = 0;
    double value = 0;

    Counted(double number = 0) : value(number) {}
    Counted operator-() const { return {-value}; }
    Counted &operator+=(const Counted &other);
};

Counted operator+(const Counted &a, const Counted &b) {
    ++Counted::operations;
    return {a.value + b.value};
}
Counted operator-(const Counted &a, const Counted &b) {
    ++Counted::operations;
    return {a.value - b.value};
}
Counted operator*(const Counted &a, const Counted &b) {
    ++Counted::operations;
    return {a.value * b.value};
}
Counted &Counted::operator+=(const Counted &other) {
    return *this = *this + other;
}

#define float Counted
#include "cl/ops/gaussian_recursion.cl"
#undef float
#undef WIDTH

} // namespace counted

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("bench: the Gaussian's operations are those of its own recursion", "[gaussian]") {
    using counted::Counted;
    counted::Gaussian gaussian{};
    counted::State down{}, up{};
    Counted::operations = 0;
    const Counted half = advance(&down, &gaussian, 1.0);
    const Counted both = advance(&up, &gaussian, 1.0) + half; // as in climb()
    static_cast<void>(both);
    const int a_direction = Counted::operations;
    CHECK(a_direction == 47);

    Observer observer;
    BenchRequest request;
    request.n = 64;
    const Scene scene{request, shared_device(), observer};
    for (const Case &row : gaussian_cases(scene))
        CHECK(row.work.operations == 2 * a_direction * 64 * 64);
    for (const Case &row : gaussian_column_cases(scene))
        CHECK(row.work.operations == a_direction * 64 * 64);
}

#include <bowhist/search/geometry.hpp>

#include <catch2/catch.hpp>

#include <cmath>

namespace bowhist {

TEST_CASE("turns: those of the C library, but for rounding") {
    for (int angle = 0; angle < 256; ++angle) {
        const Turn turn = turn_of(static_cast<std::uint8_t>(angle));
        const double radians = angle * 2 * M_PI / 256;
        CHECK(std::abs(turn.cosine - std::cos(radians)) < 2e-14);
        CHECK(std::abs(turn.sine - std::sin(radians)) < 2e-14);
    }
    CHECK(turn_of(0).cosine == 1);
    CHECK(turn_of(0).sine == 0);
}

TEST_CASE("octaves: powers of two by 24ths, up and down") {
    for (int parts = -255; parts <= 255; ++parts)
        CHECK(octaves(parts) == Approx(std::exp2(parts / 24.0)).epsilon(1e-13));
    CHECK(octaves(0) == 1);
    for (int parts = 1; parts <= 255; ++parts) CHECK(octaves(parts) > octaves(parts - 1));
}

} // namespace bowhist

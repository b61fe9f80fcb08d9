#include <bowhist/pictures/patch.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

using namespace bowhist;

namespace {

/// Column in blue, row in green.
Raster numbered(int width, int height) {
    Raster image{width, height, Color::bgr, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            image.samples.push_back(static_cast<std::uint8_t>(x));
            image.samples.push_back(static_cast<std::uint8_t>(y));
            image.samples.push_back(9);
        }
    return image;
}

PatchPlace square(double x, double y, double side, double turn = 0) {
    const double c = std::cos(turn), s = std::sin(turn);
    return {x, y, side * c, side * s, -side * s, side * c};
}

int blue(const Raster &patch, int x, int y) {
    return patch.samples[std::size_t(y * patch.width + x) * 3];
}
int green(const Raster &patch, int x, int y) {
    return patch.samples[std::size_t(y * patch.width + x) * 3 + 1];
}

} // namespace

TEST_CASE("a patch of its own size is a part of the image", "[pictures]") {
    const Raster patch = cut_patch(numbered(100, 80), square(49.5, 39.5, 20), 20);
    REQUIRE(patch.width == 20);
    REQUIRE(patch.samples.size() == 20 * 20 * 3);
    for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 20; ++x) {
            CHECK(blue(patch, x, y) == 40 + x);
            CHECK(green(patch, x, y) == 30 + y);
        }
}

TEST_CASE("a patch turns with its place", "[pictures]") {
    // its right side lies below: its x axis runs down the image
    const Raster patch =
        cut_patch(numbered(100, 80), square(49.5, 39.5, 20, std::numbers::pi / 2), 20);
    for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 20; ++x) {
            CHECK(green(patch, x, y) == 30 + x);
            CHECK(blue(patch, x, y) == 59 - y);
        }
}

TEST_CASE("a patch that shrinks shows the mean of what it covers", "[pictures]") {
    Raster stripes{64, 64, Color::grey, {}};
    for (int i = 0; i < 64 * 64; ++i) stripes.samples.push_back(i % 2 == 0 ? 0 : 200);
    const Raster patch = cut_patch(stripes, square(31.5, 31.5, 64), 16);
    for (const std::uint8_t sample : patch.samples) CHECK(sample == 100);
}

TEST_CASE("beyond the image its border is repeated", "[pictures]") {
    const Raster patch = cut_patch(numbered(30, 30), square(0, 0, 20), 10);
    CHECK(blue(patch, 0, 9) == 0);
    CHECK(green(patch, 9, 0) == 0);
    CHECK(cut_patch({1, 1, Color::grey, {7}}, square(50, -3, 5), 2).samples ==
          std::vector<std::uint8_t>(4, 7));
}

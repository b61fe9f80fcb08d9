#include <bowhist/duplicates/pixels/beyond.hpp>
#include <bowhist/duplicates/pixels/image_detail.hpp>
#include <bowhist/pictures/area_average.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace bowhist {
namespace {

/// Soft clouds of several sizes.
Image clouds(unsigned seed, int width, int height) {
    std::mt19937 random(seed);
    std::vector<double> levels(std::size_t(width) * std::size_t(height), 0);
    for (const int cell : {4, 8, 16, 32}) {
        const int columns = width / cell + 2, rows = height / cell + 2;
        std::vector<double> grid;
        for (int i = 0; i < columns * rows; ++i) grid.push_back(double(random() % 256));
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const double u = double(x % cell) / cell, v = double(y % cell) / cell;
                const auto at = [&](int column, int row) {
                    return grid[std::size_t((y / cell + row) * columns + x / cell + column)];
                };
                levels[std::size_t(y * width + x)] +=
                    ((at(0, 0) * (1 - u) + at(1, 0) * u) * (1 - v) +
                     (at(0, 1) * (1 - u) + at(1, 1) * u) * v) /
                    4;
            }
    }
    Image image{width, height, {}};
    for (const double level : levels)
        image.pixels.push_back(
            static_cast<std::uint8_t>(std::clamp((level - 128) * 2 + 128, 0.0, 255.0)));
    return image;
}

Image beside(const Image &one, const Image &other, int gap) {
    Image image{one.width + gap + other.width, one.height, {}};
    for (int y = 0; y < one.height; ++y) {
        const auto row = [y](const Image &from) {
            return from.pixels.begin() + std::ptrdiff_t{y} * from.width;
        };
        image.pixels.insert(image.pixels.end(), row(one), row(one) + one.width);
        image.pixels.insert(image.pixels.end(), std::size_t(gap), 255);
        image.pixels.insert(image.pixels.end(), row(other), row(other) + other.width);
    }
    return image;
}

TEST_CASE("beyond: a picture continues across the edge of a crop, and a collage does not") {
    for (unsigned seed = 0; seed < 12; ++seed) {
        const Image part = clouds(seed, 130, 160);
        const Image whole = clouds(seed + 100, 260, 160);
        const Beyond of_whole = beyond(whole, {1, 0, -40, 0, 1, -10}, Image{150, 120, {}});
        CAPTURE(seed, of_whole.seam, of_whole.breaks);
        CHECK(of_whole.seam < 1.5);
        CHECK(of_whole.breaks < 0.3);
        for (const int gap : {0, 3, 20}) {
            const Beyond of_collage =
                beyond(beside(part, clouds(seed + 200, 120, 160), gap), {}, part);
            CAPTURE(gap, of_collage.seam, of_collage.breaks);
            CHECK(std::max(of_collage.seam / 1.75, of_collage.breaks / 0.38) >= 1);
            CHECK(of_collage.thick > 0);
        }
    }
}

TEST_CASE("beyond: a frame has one level, and no room for a picture") {
    const Image picture = clouds(1, 150, 160);
    Image frame{60, 160, std::vector<std::uint8_t>(60 * 160, 250)};
    const Beyond border = beyond(beside(picture, frame, 0), {}, picture);
    CHECK(border.flat > 0.95);
    CHECK(border.thick == 0);
    CHECK(border.share == Approx(60.0 / 210).margin(0.02));
}

Image enlarged(const Image &image) {
    Image large{image.width * 2, image.height * 2, {}};
    const auto at = [&](double x, double y) {
        x = std::clamp(x, 0.0, image.width - 1.001);
        y = std::clamp(y, 0.0, image.height - 1.001);
        const int column = int(x), row = int(y);
        const auto level = [&](int u, int v) {
            return double(image.pixels[std::size_t((row + v) * image.width + column + u)]);
        };
        const double right = x - column, below = y - row;
        return (level(0, 0) * (1 - right) + level(1, 0) * right) * (1 - below) +
               (level(0, 1) * (1 - right) + level(1, 1) * right) * below;
    };
    for (int y = 0; y < large.height; ++y)
        for (int x = 0; x < large.width; ++x)
            large.pixels.push_back(
                static_cast<std::uint8_t>(at((x - 0.5) / 2, (y - 0.5) / 2) + 0.5));
    return large;
}

TEST_CASE("image detail: an enlarged image has little of its own") {
    for (unsigned seed = 0; seed < 6; ++seed) {
        Image sharp = clouds(seed, 160, 160);
        std::mt19937 random(seed);
        for (std::uint8_t &level : sharp.pixels)
            level =
                static_cast<std::uint8_t>(std::clamp(int{level} + int(random() % 41) - 20, 0, 255));
        const auto share = [](const Image &image) {
            return quality_of(image, {0, 0, image.width, image.height}).share_of_detail();
        };
        CAPTURE(seed);
        CHECK(share(sharp) > 0.9);
        CHECK(share(enlarged(sharp)) < 0.4); // from there a larger image counts as sharp
    }
}

} // namespace
} // namespace bowhist

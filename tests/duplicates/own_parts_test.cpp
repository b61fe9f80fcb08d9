#include <bowhist/duplicates/pixels/own_parts.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

constexpr int width = 256, height = 192;

/// Soft spots, as a photograph has.
Image ground(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<double> levels(static_cast<std::size_t>(width) * height, 110);
    for (int spot = 0; spot < 250; ++spot) {
        const double x = double(random() % width), y = double(random() % height);
        const double radius = 4 + double(random() % 14), change = double(random() % 81) - 40;
        for (int v = 0; v < height; ++v)
            for (int u = 0; u < width; ++u) {
                const double square = ((u - x) * (u - x) + (v - y) * (v - y)) / (radius * radius);
                if (square < 1) levels[std::size_t(v * width + u)] += change * (1 - square);
            }
    }
    Image image{width, height, {}};
    for (const double level : levels)
        image.pixels.push_back(static_cast<std::uint8_t>(std::clamp(level, 0.0, 255.0)));
    return image;
}

void draw_disk(Image &image, int x, int y, int radius, std::uint8_t level) {
    for (int v = y - radius; v <= y + radius; ++v)
        for (int u = x - radius; u <= x + radius; ++u)
            if ((u - x) * (u - x) + (v - y) * (v - y) <= radius * radius)
                image.pixels[std::size_t(v * width + u)] = level;
}

/// Rows of letters: white strokes with black around them.
void draw_letters(Image &image, unsigned seed, int top = 60) {
    std::mt19937 random(seed);
    const auto fill = [&image](int x, int y, int w, int h, std::uint8_t level) {
        for (int v = y; v < y + h; ++v)
            for (int u = x; u < x + w; ++u) image.pixels[std::size_t(v * width + u)] = level;
    };
    for (int y = top; y <= top + 50; y += 25)
        for (int x = 20; x < 200; x += 16) {
            fill(x, y, 6, 18, 0);
            fill(x + 2, y + 2, 3, 14, 255);
            if (random() % 2 == 0) fill(x + 5, y + 2 + int(random() % 10), 7, 3, 255);
        }
}

OwnParts parts_of(const Image &lower, const Image &upper) {
    return own_parts(lay_over(lower, upper, {}));
}

TEST_CASE("own parts: equal images have none") {
    const OwnParts parts = parts_of(ground(1), ground(1));
    CHECK(parts.lower == 0);
    CHECK(parts.upper == 0);
}

TEST_CASE("own parts: what is laid over one image is of this one") {
    for (unsigned seed = 0; seed < 10; ++seed) {
        Image disk = ground(seed), letters = ground(seed);
        draw_disk(disk, 70 + int(seed) * 10, 90, 12, 250);
        draw_letters(letters, seed);
        for (const Image *image : {&disk, &letters}) {
            const OwnParts parts = parts_of(ground(seed), *image);
            CHECK(parts.upper >= 20);
            CHECK(!parts.of_both());
            const OwnParts swapped = parts_of(*image, ground(seed));
            CHECK(swapped.lower >= 20);
            CHECK(!swapped.of_both());
        }
    }
}

TEST_CASE("own parts: letters hide edges of what has their level beside them") {
    for (unsigned seed = 0; seed < 10; ++seed) {
        std::mt19937 random(seed);
        Image plain = ground(seed);
        for (int disk = 0; disk < 40; ++disk)
            draw_disk(plain, 20 + int(random() % 216), 20 + int(random() % 152), 8,
                      disk % 2 == 0 ? 255 : 0);
        Image letters = plain;
        draw_letters(letters, seed);
        const OwnParts parts = parts_of(plain, letters);
        CAPTURE(seed, parts.lower, parts.upper, parts.lower_unhidden);
        CHECK(parts.lower >= 12); // edges of disks, beside letters of their level
        CHECK(!parts.of_both());
        CHECK(!parts_of(letters, plain).of_both());
    }
}

/// A ground of one level, on which spots lie.
Image light_ground(unsigned seed, int level) {
    Image image = ground(seed);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (y < 115 || x < 60 || x >= width - 60)
                image.pixels[std::size_t(y * width + x)] =
                    static_cast<std::uint8_t>(level + int(image.pixels[std::size_t(x)]) % 3);
    return image;
}

TEST_CASE("own parts: two captions are of both images, one is of one") {
    for (unsigned seed = 0; seed < 10; ++seed)
        for (const int level : {200, 225, 245})
            for (const int top : {10, 35}) {
                const Image bare = light_ground(seed, level);
                Image one = bare, other = bare;
                draw_letters(one, seed, 10);
                draw_letters(other, seed + 100, top);
                CAPTURE(seed, level, top);
                CHECK(parts_of(one, other).of_both());
                CHECK(!parts_of(bare, one).of_both());
                CHECK(!parts_of(other, bare).of_both());
            }
}

TEST_CASE("own parts: strokes are of the image that has letters") {
    for (unsigned seed = 0; seed < 10; ++seed) {
        Image letters = ground(seed);
        draw_letters(letters, seed);
        const OwnParts parts = parts_of(ground(seed), letters);
        CAPTURE(seed, parts.lower_narrow, parts.upper_narrow, parts.thick_pixels);
        CHECK(parts.upper_narrow >= 100);
        CHECK(parts.upper_narrow > 4 * parts.lower_narrow);
        CHECK(parts.thick_pixels == 0);
    }
}

TEST_CASE("own parts: a thing that moved is of both images") {
    for (unsigned seed = 0; seed < 10; ++seed)
        for (const int radius : {6, 8, 10, 20}) {
            Image before = ground(seed), after = ground(seed);
            draw_disk(before, 80, 90, radius, 245);
            draw_disk(after, 80 + 2 * radius + 10, 100, radius, 245);
            const OwnParts moved = parts_of(before, after);
            CAPTURE(moved.lower, moved.upper, moved.lower_unhidden, moved.upper_unhidden, radius);
            CHECK(moved.of_both());
            draw_disk(after, 80, 90, radius, 245); // there are two now
            CHECK(!parts_of(before, after).of_both());
        }
}

TEST_CASE("own parts: a thing is seen at two places, also where these overlap") {
    for (unsigned seed = 0; seed < 10; ++seed)
        for (const int radius : {8, 12, 20})
            for (const int by : {radius, 2 * radius, 3 * radius}) {
                Image before = ground(seed), after = ground(seed);
                draw_disk(before, 80, 90, radius, 245);
                draw_disk(after, 80 + by, 90, radius, 245);
                const OwnParts parts = parts_of(before, after);
                CAPTURE(seed, radius, by, parts.moved.lower, parts.moved.upper, parts.moved.pixels,
                        parts.moved.foreign);
                CHECK(parts.moved.is_seen());
                CHECK(parts_of(after, before).moved.is_seen());
            }
}

TEST_CASE("own parts: things that stand over one image alone did not move") {
    for (unsigned seed = 0; seed < 10; ++seed)
        for (const std::uint8_t level : {std::uint8_t{245}, std::uint8_t{10}}) {
            Image one = ground(seed), two = ground(seed), letters = ground(seed);
            draw_disk(one, 80, 90, 20, level);
            draw_disk(two, 80, 90, 20, level);
            draw_disk(two, 150, 60, 20, 255 - level);
            draw_letters(letters, seed);
            for (const Image *image : {&one, &two, &letters}) {
                const OwnParts parts = parts_of(ground(seed), *image);
                CAPTURE(seed, level, parts.moved.lower, parts.moved.upper, parts.moved.pixels);
                CHECK(!parts.moved.is_seen());
                CHECK(!parts_of(*image, ground(seed)).moved.is_seen());
            }
        }
}

} // namespace
} // namespace bowhist

#include <bowhist/duplicates/pixels/letter_test.hpp>
#include <bowhist/pictures/area_average.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

constexpr int width = 400, height = 520;

/// Rows of drawn letters, each of some strokes in a box of 8 x 12 pixels.
Image page(unsigned seed, int changed_letter = -1) {
    Image image{width, height, std::vector<std::uint8_t>(std::size_t{width} * height, 240)};
    std::mt19937 random(seed);
    int letter = 0;
    for (int top = 20; top + 12 < height - 20; top += 22)
        for (int left = 20; left + 8 < width - 20; left += 12, ++letter) {
            std::mt19937 other(seed + 1000);
            std::mt19937 &strokes = letter == changed_letter ? other : random;
            for (int stroke = 0; stroke < 3; ++stroke) {
                const bool upright = strokes() % 2 == 0;
                const int at = int(strokes() % (upright ? 7U : 11U));
                for (int i = 0; i < (upright ? 12 : 8) * 2; ++i) {
                    const int x = left + (upright ? at + i % 2 : i / 2);
                    const int y = top + (upright ? i / 2 : at + i % 2);
                    image.pixels[std::size_t(y * width + x)] = 30;
                }
            }
            if (letter == changed_letter) random.discard(6);
        }
    return image;
}

Image with_noise(Image image, int most) {
    std::mt19937 random(5);
    for (std::uint8_t &level : image.pixels)
        level = static_cast<std::uint8_t>(
            std::clamp(int{level} + int(random() % unsigned(2 * most + 1)) - most, 0, 255));
    return image;
}

Image half(const Image &image) {
    Raster small = shrink({image.width, image.height, Color::grey, image.pixels},
                          {image.width / 2, image.height / 2});
    return {small.width, small.height, std::move(small.samples)};
}

/// Without the columns at the left and the rows at the top; of even size.
Image cut(const Image &image, int columns, int rows) {
    Image result{(image.width - columns) / 2 * 2, (image.height - rows) / 2 * 2, {}};
    for (int y = rows; y < rows + result.height; ++y)
        for (int x = columns; x < columns + result.width; ++x)
            result.pixels.push_back(image.pixels[std::size_t(y * image.width + x)]);
    return result;
}

LetterAgreement compared(const Image &lower, const Image &upper, const AffineMap &map) {
    Overlay overlay = lay_over(lower, upper, map);
    sample_areas(overlay, upper, overlay.map);
    return letter_agreement(overlay);
}

TEST_CASE("letters: noise leaves little, and one changed letter much") {
    for (unsigned seed = 0; seed < 5; ++seed) {
        const Image one = page(seed);
        const LetterAgreement same = compared(one, with_noise(one, 12), {});
        const LetterAgreement other = compared(one, with_noise(page(seed, 77), 12), {});
        CAPTURE(seed, same.changed, other.changed);
        CHECK(same.windows > 1000);
        CHECK(same.thin > 0.95);
        CHECK(same.changed < 0.15);
        CHECK(other.changed > 0.3);
        CHECK(other.changed > 2.5 * other.usual);
    }
}

TEST_CASE("letters: areas are sampled in exact places") {
    // a page is cut at an odd place, and shrunk: each of its pixels covers other ones of the page
    const Image whole = page(3), part = cut(whole, 7, 5), small = half(part);
    const AffineMap map{2, 0, 7.5, 0, 2, 5.5};
    Overlay overlay{.width = small.width,
                    .height = small.height,
                    .map = map,
                    .tone = ToneCurve::identity(),
                    .lower = {small.pixels.begin(), small.pixels.end()},
                    .upper = std::vector<float>(small.pixels.size()),
                    .plain = std::vector<float>(small.pixels.size()),
                    .covered = std::vector<std::uint8_t>(small.pixels.size(), 1)};
    sample_areas(overlay, whole, map);
    for (std::size_t i = 0; i < small.pixels.size(); ++i)
        REQUIRE(std::abs(overlay.upper[i] - overlay.lower[i]) <= 1.0F);
}

TEST_CASE("letters: a thing before a plain ground is not thin") {
    Image thing{width, height, std::vector<std::uint8_t>(std::size_t{width} * height, 240)};
    for (int y = 100; y < 400; ++y)
        for (int x = 80; x < 320; ++x)
            thing.pixels[std::size_t(y * width + x)] = static_cast<std::uint8_t>(60 + (x + y) % 90);
    CHECK(compared(thing, thing, {}).thin < 0.2);
}

} // namespace
} // namespace bowhist

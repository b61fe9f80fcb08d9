#include <bowhist/duplicates/pixels/pixel_comparison.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

constexpr int width = 400, height = 300;

/// Things of one level over each other, or a plain ground.
Image picture(int things) {
    Image image{width, height, std::vector<std::uint8_t>(std::size_t{width} * height, 150)};
    std::mt19937 random(1);
    for (int i = 0; i < things; ++i) {
        const int left = int(random() % (width - 40)), top = int(random() % (height - 40));
        const auto level = static_cast<std::uint8_t>(random() % 256);
        for (int y = top; y < top + 30; ++y)
            for (int x = left; x < left + 40; ++x) image.pixels[std::size_t(y * width + x)] = level;
    }
    return image;
}

Image with_thing(Image image, int side) {
    for (int y = 120; y < 120 + side; ++y)
        for (int x = 200; x < 200 + side; ++x) image.pixels[std::size_t(y * width + x)] = 20;
    return image;
}

Image with_noise(Image image, int most) {
    std::mt19937 random(5);
    for (std::uint8_t &level : image.pixels)
        level = static_cast<std::uint8_t>(
            std::clamp(int{level} + int(random() % unsigned(2 * most + 1)) - most, 0, 255));
    return image;
}

LocalChange changed(const Image &lower, const Image &upper) {
    return look_locally(lay_over(lower, upper, {})).change;
}

TEST_CASE("local change: a copy has none, whatever its noise") {
    const Image image = picture(400);
    CHECK_FALSE(changed(image, image).is_clear());
    for (const int levels : {8, 16}) {
        const LocalChange change = changed(image, with_noise(image, levels));
        CAPTURE(levels, change.most, change.usual);
        CHECK_FALSE(change.is_clear());
    }
}

TEST_CASE("local change: a small thing is clear among others and on a plain ground") {
    for (const int things : {60, 400})
        for (const int side : {20, 32}) {
            CAPTURE(things, side);
            const Image image = picture(things);
            CHECK(changed(image, with_noise(with_thing(image, side), 8)).is_clear());
            CHECK(changed(with_thing(image, side), image).is_clear());
        }
}

TEST_CASE("local change: images smaller than a window have none") {
    Overlay overlay;
    overlay.width = overlay.height = 7;
    CHECK(look_locally(overlay).change.most == 0);
}

} // namespace
} // namespace bowhist

#include <bowhist/duplicates/pixels/pixel_comparison.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

constexpr int width = 192, height = 256;

Image softened(const Image &image) {
    Image soft = image;
    for (int y = 1; y + 1 < height; ++y)
        for (int x = 1; x + 1 < width; ++x) {
            int sum = 0;
            for (int v = y - 1; v <= y + 1; ++v)
                for (int u = x - 1; u <= x + 1; ++u)
                    sum += image.pixels[std::size_t(v * width + u)];
            soft.pixels[std::size_t(y * width + x)] = static_cast<std::uint8_t>(sum / 9);
        }
    return soft;
}

/// Dark disks on light ground, soft at their edges: few pixels have a level between.
Image dark_things(unsigned seed) {
    std::mt19937 random(seed);
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        image.pixels.push_back(static_cast<std::uint8_t>(212 + random() % 12));
    for (int disk = 0; disk < 40; ++disk) {
        const int x = int(random() % width), y = int(random() % 190),
                  radius = 5 + int(random() % 12);
        for (int v = std::max(0, y - radius); v <= y + radius; ++v)
            for (int u = std::max(0, x - radius); u <= std::min(width - 1, x + radius); ++u)
                if ((u - x) * (u - x) + (v - y) * (v - y) <= radius * radius)
                    image.pixels[std::size_t(v * width + u)] =
                        static_cast<std::uint8_t>(20 + random() % 20);
    }
    return softened(image);
}

void lay_banner(Image &image, std::uint8_t level) {
    std::fill(image.pixels.begin() + std::ptrdiff_t{width} * (height - height / 6),
              image.pixels.end(), level);
}

SizedThumbnail sized(const Image &luma) {
    SizedThumbnail image{.thumbnail = {}, .width = luma.width, .height = luma.height};
    image.thumbnail.luma = luma;
    image.thumbnail.color = {luma.width, luma.height, Color::bgr, {}};
    for (const std::uint8_t level : luma.pixels)
        image.thumbnail.color.samples.insert(image.thumbnail.color.samples.end(), 3, level);
    return image;
}

TEST_CASE("pixel comparison: a banner does not bend the curve that lays a picture over another") {
    for (unsigned seed = 0; seed < 5; ++seed) {
        Image banner = dark_things(seed);
        lay_banner(banner, 75); // a level between those of the things and of the ground
        const Overlay bent = lay_over(dark_things(seed), banner, {});
        CHECK(bent.tone.falls());
        CHECK(agreement_of(bent).shift_quartile > 0.25);
        for (const bool is_first : {false, true}) {
            const SizedThumbnail one = sized(dark_things(seed)), other = sized(banner);
            const PixelComparison pixels =
                is_first ? compare_pixels(other, one, {}) : compare_pixels(one, other, {});
            CAPTURE(seed, is_first);
            CHECK(pixels.agreement.shift_quartile < 0.1);
            CHECK(std::max(pixels.agreement.lower_agreeing, pixels.agreement.upper_agreeing) > 0.9);
            CHECK(!pixels.own.of_both());
        }
    }
}

TEST_CASE("pixel comparison: a curve near a line makes no copy of another view") {
    for (unsigned seed = 0; seed < 5; ++seed) {
        Image banner = dark_things(seed), moved = dark_things(seed);
        for (int y = 0; y < height; ++y) // rows lie beside each other by up to 2 pixels
            for (int x = 0; x < width; ++x) {
                const int from = std::clamp(x + (y / 12) % 5 - 2, 0, width - 1);
                moved.pixels[std::size_t(y * width + x)] =
                    banner.pixels[std::size_t(y * width + from)];
            }
        lay_banner(banner, 75);
        CHECK(compare_pixels(sized(moved), sized(banner), {}).agreement.shift_quartile > 0.25);
    }
}

} // namespace
} // namespace bowhist

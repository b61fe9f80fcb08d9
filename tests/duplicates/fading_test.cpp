#include <bowhist/duplicates/pixels/fading.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>

namespace bowhist {
namespace {

constexpr int width = 120, height = 90, beyond = 60;

/// Spots of four pixels.
Image spots(unsigned seed, int columns) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> levels;
    for (int i = 0; i < (columns / 4 + 1) * (height / 4 + 1); ++i)
        levels.push_back(static_cast<std::uint8_t>(random() % 256));
    Image image{columns, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < columns; ++x)
            image.pixels.push_back(
                levels[static_cast<std::size_t>(y / 4 * (columns / 4 + 1) + x / 4)]);
    return image;
}

/// A picture laid over one that shows it on the left.
/// @param share  how much of it the other shows, by pixels from the picture's right edge
template <typename Share>
Fading fading(const Share &share) {
    const Image whole = spots(1, width + beyond), other = spots(2, width);
    Overlay overlay;
    overlay.width = width;
    overlay.height = height;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto level = static_cast<float>(
                whole.pixels[static_cast<std::size_t>(y * (width + beyond) + x)]);
            const float another = other.pixels[static_cast<std::size_t>(y * width + x)];
            const auto shown = static_cast<float>(share(width - 1 - x));
            overlay.lower.push_back(level);
            overlay.upper.push_back(shown * level + (1 - shown) * another);
            overlay.covered.push_back(1);
        }
    return fading_of(overlay, width + beyond, height);
}

TEST_CASE("fading: a blend differs along the edge, where the other image goes on") {
    for (const double blend : {15.0, 30.0, 60.0}) {
        const Fading found = fading([&](int left) { return std::min(1.0, left / blend); });
        CHECK(found.of_lower > 2.5);
        CHECK(found.of_upper == 0); // the lower one ends within it
    }
}

TEST_CASE("fading: a copy has none, nor one that differs all over") {
    CHECK(fading([](int) { return 1; }).of_lower == 0);
    CHECK(fading([](int) { return 0.8; }).of_lower < 1.5);
}

TEST_CASE("fading: a darker edge shows the same") {
    const Image whole = spots(1, width);
    Overlay overlay;
    overlay.width = width;
    overlay.height = height;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            overlay.lower.push_back(whole.pixels[static_cast<std::size_t>(y * width + x)]);
            overlay.upper.push_back(overlay.lower.back() - static_cast<float>(std::max(0, x - 80)));
            overlay.covered.push_back(1);
        }
    CHECK(fading_of(overlay, width + beyond, height).of_lower < 1);
}

} // namespace
} // namespace bowhist

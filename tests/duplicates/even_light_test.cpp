#include <bowhist/duplicates/pixels/even_light.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

constexpr int width = 200, height = 160;

bool is_ink(int x, int y) {
    return x % 10 < 2 && y % 16 < 8;
}

/// A page with strokes, lit from one side, with a dark box.
std::vector<float> page(double shade) {
    std::vector<float> levels;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double light = 1 - shade * x * y / (width * height);
            const bool is_box = x >= 20 && x < 70 && y >= 20 && y < 60;
            levels.push_back(static_cast<float>(light * (is_box || is_ink(x, y) ? 30 : 240)));
        }
    return levels;
}

} // namespace

TEST_CASE("even light: paper has one level, whatever lies on it") {
    for (const double shade : {0.3, 0.5, 0.7}) {
        const std::vector<float> even = bowhist::evenly_lit(page(shade), width, height);
        std::vector<float> paper;
        for (int y = 0; y < height; ++y)
            for (int x = 80; x < width; ++x)
                if (!is_ink(x, y)) paper.push_back(even[static_cast<std::size_t>(y * width + x)]);
        const auto [least, most] = std::ranges::minmax(paper);
        CHECK(most - least < 12);
    }
}

TEST_CASE("even light: levels of even light stay, and so do those of tiny pictures") {
    const std::vector<float> levels = page(0);
    CHECK(bowhist::evenly_lit(levels, width, height) == levels);
    const std::vector<float> tiny{1, 2, 3, 4, 5, 6};
    CHECK(bowhist::evenly_lit(tiny, 3, 2) == tiny);
}

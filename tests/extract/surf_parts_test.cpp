// SURF's parts by numbers that are known: a peak's fit, powers of sums, maps of Haar responses.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_extractor.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

using namespace bowhist;

TEST_CASE("surf: a maximum that a neighboring layer exceeds is placed within its layer") {
    struct Layers {
        double below, above;
        bool is_first;
        double layer, weight; // of the peak
    };
    for (const auto &[below, above, is_first, layer, weight] :
         {Layers{130, 70, true, -0.4, 1}, Layers{100.5, 130, true, -0.4, 1},
          Layers{70, 130, true, 0, 0.7}, Layers{130, 70, false, 0, 0.7},
          Layers{70, 100.5, false, 0, 0.7}, Layers{130, 130, false, 0, 0.7},
          Layers{70, 70, false, 0, 0.7}}) {
        INFO(below << ' ' << above << ' ' << is_first);
        std::array<float, 27> v{};
        for (int i = 0; i < 27; ++i) { // 100 - 4 (x - 0.25)^2 - 3 (y + 0.125)^2 in each layer
            const double x = i % 3 - 1 - 0.25;
            const double y = i / 3 % 3 - 1 + 0.125;
            const double top = i < 9 ? below : i < 18 ? 100 : above;
            v[static_cast<std::size_t>(i)] = static_cast<float>(top - 4 * x * x - 3 * y * y);
        }
        v[3] = v[7] = v[21] = v[25] = 0; // neighboring layers must not matter for its place
        if (above == below) v[26] = 101; // one response of a corner is enough
        const SurfPeak peak = fit_peak(v.data(), is_first ? 1 : 0);
        CHECK(peak.x == Approx(0.25));
        CHECK(peak.y == Approx(-0.125));
        CHECK(peak.layer == Approx(layer));
        CHECK(peak.weight == Approx(weight));
    }
}

TEST_CASE("surf: a maximum of all layers is placed between them, and counts in full") {
    std::array<float, 27> v{};
    for (int i = 0; i < 27; ++i) { // 100 - 4 (x - 0.25)^2 - 3 (y + 0.125)^2 - 5 (layer - 0.375)^2
        const double x = i % 3 - 1 - 0.25;
        const double y = i / 3 % 3 - 1 + 0.125;
        const double layer = i / 9 - 1 - 0.375;
        v[static_cast<std::size_t>(i)] =
            static_cast<float>(100 - 4 * x * x - 3 * y * y - 5 * layer * layer);
    }
    for (const int is_first : {0, 1}) {
        const SurfPeak peak = fit_peak(v.data(), is_first);
        CHECK(peak.x == Approx(0.25));
        CHECK(peak.y == Approx(-0.125));
        CHECK(peak.layer == Approx(0.375));
        CHECK(peak.weight == 1);
    }
}

TEST_CASE("surf: sums are raised to the power of 3/4 and keep their signs") {
    CHECK(compressed(16.0F) == Approx(8));
    CHECK(compressed(-81.0F) == Approx(-27));
    CHECK(compressed(1e-8F) == Approx(1e-6));
    CHECK(compressed(1e8F) == Approx(1e6));
    CHECK(compressed(0.0F) == 0);
    CHECK(compressed(-0.0F) == 0);
}

TEST_CASE("surf: a map holds the largest responses of its largest squares") {
    constexpr int half = HaarMap::largest_half;
    for (const bool right : {false, true}) {
        GreyPlane grey(16, 16);
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x) grey.row(y)[x] = (x >= 8) == right ? 255 * 16 : 0;
        const IntegralImage sums(grey);
        const HaarMap map(sums, half);
        const std::int32_t both = map.values[static_cast<std::size_t>(8 * sums.stride + 8)];
        CHECK(static_cast<std::int16_t>(both & 0xFFFF) == (right ? 32640 : -32640));
        CHECK(both >> 16 == 0);
        CHECK(map.values[static_cast<std::size_t>(8 * sums.stride + half - 1)] == 0);
    }
}

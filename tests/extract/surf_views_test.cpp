// SURF where images turn and shrink.
#include "bench/cases/blobs.hpp"
#include "tests/extract/surf_extraction.hpp"
#include "tests/extract/surf_scene.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// A quarter turn: what was on the right is on top.
Image turned(const Image &image) {
    Image result{image.height, image.width, {}};
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x)
            result.pixels.push_back(
                image.pixels[static_cast<std::size_t>(x * image.width + image.width - 1 - y)]);
    return result;
}

double distance(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2);
    return std::sqrt(sum);
}

} // namespace

TEST_CASE("surf: keypoints keep their places where a picture turns and shrinks") {
    // Few of the strongest lean towards another layer: those lie farther apart.
    const auto [most, farthest] = GENERATE(std::pair{std::size_t{400}, 0.16}, // 0.14, by boxes 0.19
                                           std::pair{std::size_t{0}, 0.2});   // 0.18, by boxes 0.23
    Recipe options = recipe();
    options.max_descriptors = most;
    const Descriptors before = extract(scene({}), options);
    std::vector<double> apart; // in scales
    for (const double angle : {0.3, 0.8, 1.2}) {
        const View view{angle, 0.84}; // half-way between layers
        const Descriptors after = extract(scene(view), options);
        for (const Keypoint &one : before.keypoints) {
            const auto place = view.place(one.x, one.y);
            const double scale = one.scale * view.zoom;
            double least = 0.5;
            for (const Keypoint &other : after.keypoints)
                if (std::abs(std::log(other.scale / scale)) < 0.3)
                    least =
                        std::min(least, std::hypot(other.x - place[0], other.y - place[1]) / scale);
            if (least < 0.5) apart.push_back(least);
        }
    }
    REQUIRE(apart.size() > 500);
    const auto median = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
    std::ranges::nth_element(apart, median);
    CHECK(*median < farthest);
}

TEST_CASE("surf: a quarter turn turns keypoints and orientations, and leaves descriptors") {
    const Image image = blobs(201, 161, 5); // halved thrice, the same pixels remain
    Recipe options = recipe(50);
    options.octaves = 3;
    const Descriptors before = extract(image, options);
    const Descriptors after = extract(turned(image), options);
    REQUIRE(before.size() > 50);
    std::size_t found = 0;
    std::size_t alike = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Keypoint &at = before.keypoints[i];
        for (std::size_t j = 0; j < after.size(); ++j) {
            const Keypoint &other = after.keypoints[j];
            if (std::hypot(other.x - at.y, other.y - static_cast<float>(image.width - 1) + at.x) >
                    0.01 ||
                std::abs(other.scale - at.scale) > 0.01)
                continue;
            ++found;
            const double turn = std::remainder(
                at.orientation - other.orientation - std::numbers::pi / 2, 2 * std::numbers::pi);
            if (std::abs(turn) < 0.2 && distance(before.row(i), after.row(j)) < 0.3) ++alike;
        }
    }
    CHECK(found >= before.size() * 95 / 100);
    CHECK(alike >= found * 9 / 10);
}

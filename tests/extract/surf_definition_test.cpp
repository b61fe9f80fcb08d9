// SURF against its definition (docs/descriptors.md).
#include "bench/cases/blobs.hpp"
#include "tests/extract/surf_extraction.hpp"
#include "tests/extract/surf_reference.hpp"
#include "tests/extract/surf_scene.hpp"

#include <bowhist/extract/surf/surf_extractor.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr double blob_x = 100.3;
constexpr double blob_y = 89.6;

/// The strongest keypoint of a Gaussian blob there.
Keypoint strongest_of_blob(double sigma) {
    Image image{200, 180, {}};
    for (int j = 0; j < image.height; ++j)
        for (int i = 0; i < image.width; ++i) {
            const double square = std::pow(i - blob_x, 2) + std::pow(j - blob_y, 2);
            image.pixels.push_back(static_cast<std::uint8_t>(
                std::lround(30 + 200 * std::exp(-square / (2 * sigma * sigma)))));
        }
    Recipe options = recipe();
    options.octaves = 3; // the default's last layer has a scale of 5.6
    options.max_descriptors = 1;
    const Descriptors found = extract(image, options);
    REQUIRE(found.size() == 1);
    return found.keypoints[0];
}

} // namespace

TEST_CASE("surf: keypoints are the maxima of the definition's determinants in their layers") {
    const Image image = blobs(150, 110, 3);
    const std::vector<IntegralImage> levels = surf_pyramid(image, 2);
    std::size_t found = 0;
    std::size_t maxima = 0;
    std::size_t matched = 0;
    std::size_t weak = 0;    // beside a neighboring layer
    std::size_t leaning = 0; // towards a neighboring layer
    std::size_t smaller = 0; // than any filter searched
    for (int octave = 0; octave < 2; ++octave) {
        const auto keypoints = find_surf(levels[static_cast<std::size_t>(octave)], octave,
                                         surf_layers(completed(recipe())), 20);
        found += keypoints.size();
        const SurfReference reference(image, octave);
        for (int lobe = 5; lobe <= 7; lobe += 2)
            for (int y = 1; y + 1 < reference.height(); ++y)
                for (int x = 1; x + 1 < reference.width(); ++x) {
                    if (!reference.fits(x - 1, y - 1, lobe + 2) ||
                        !reference.fits(x + 1, y + 1, lobe + 2))
                        continue;
                    const double here = reference.determinant(x, y, lobe);
                    const double scale = 0.4 * lobe * (1 << octave);
                    double response = here * std::min(1.0, 4 / scale);
                    if (response <= 20) continue;
                    std::array<double, 3> around{}; // the largest of each layer
                    for (int i = 0; i < 27; ++i) {
                        double &most = around[static_cast<std::size_t>(i / 9)];
                        if (i != 13)
                            most = std::max(most,
                                            reference.determinant(x + i % 3 - 1, y + i / 3 % 3 - 1,
                                                                  lobe + (i / 9 - 1) * 2));
                    }
                    if (here < around[1]) continue;
                    const bool is_first = octave == 0 && lobe == 5;
                    const double beside = is_first ? around[2] : std::max(around[0], around[2]);
                    if (here < 0.5 * beside) {
                        ++weak;
                        continue;
                    }
                    const bool is_smaller = is_first && around[0] > here;
                    const bool leans = !is_smaller && std::max(around[0], around[2]) > here;
                    leaning += leans ? 1U : 0U;
                    smaller += is_smaller ? 1U : 0U;
                    if (leans) response *= 0.7;
                    const auto scale_of = [&](const Keypoint &one) {
                        return is_smaller ? one.scale == Approx(1.68)
                               : leans    ? one.scale == Approx(0.4 * lobe)
                                          : std::abs(one.scale - 0.4 * lobe) <= 0.8001;
                    };
                    ++maxima;
                    matched += static_cast<std::size_t>(
                        std::ranges::count_if(keypoints, [&](const Keypoint &one) {
                            return std::abs(one.x - static_cast<float>(x)) <= 1.0001 &&
                                   std::abs(one.y - static_cast<float>(y)) <= 1.0001 &&
                                   scale_of(one) &&
                                   std::abs(one.response - response) < 1e-4 * response;
                        }));
                }
    }
    CHECK(found > 30);
    CHECK(matched == found);
    CHECK(matched == maxima);
    CHECK(weak > 0);
    CHECK(leaning > 0);
    CHECK(smaller > 0);
}

TEST_CASE("surf: keypoints move to the definition's place, or count less") {
    const Image image = scene({}); // of blobs hardly any count less
    const std::vector<IntegralImage> levels = surf_pyramid(image, 2);
    for (int octave = 0; octave < 2; ++octave) {
        const IntegralImage &level = levels[static_cast<std::size_t>(octave)];
        const SurfReference reference(image, octave);
        const auto before = find_surf(level, octave, surf_layers(completed(recipe())), 1);
        auto keypoints = before;
        refine_surf(level, keypoints);
        REQUIRE(before.size() > 50);
        std::size_t moved = 0;
        std::size_t less = 0;
        std::size_t astray = 0; // of a top that lies a square away, by rounding
        for (std::size_t i = 0; i < before.size(); ++i) {
            const Keypoint expected = reference.refined(before[i]);
            const Keypoint &one = keypoints[i];
            moved += one.x != before[i].x ? 1U : 0U;
            less += one.response < before[i].response ? 1U : 0U;
            if (std::hypot(one.x - expected.x, one.y - expected.y) > 0.002 ||
                one.response != Approx(expected.response))
                ++astray;
        }
        CHECK(astray <= before.size() / 50);
        CHECK(moved > before.size() / 2);
        CHECK(less > 0);
        CHECK(moved + less < before.size()); // near the edges they stay
    }
}

TEST_CASE("surf: a round blob is found where it is, as large as it is") {
    for (const double sigma : {3.0, 5.0, 8.0, 12.0}) {
        const Keypoint found = strongest_of_blob(sigma);
        CHECK(found.x == Approx(blob_x).margin(0.2 * sigma));
        CHECK(found.y == Approx(blob_y).margin(0.2 * sigma));
        // a filter of boxes answers a Gaussian blob best at some 0.7 of its sigma
        CHECK(found.scale == Approx(0.72 * sigma).epsilon(0.15));
    }
}

TEST_CASE("surf: a blob smaller than any layer is found below the first") {
    for (const double sigma : {0.7, 1.0, 1.4}) {
        const Keypoint found = strongest_of_blob(sigma);
        CHECK(found.x == Approx(blob_x).margin(0.2));
        CHECK(found.y == Approx(blob_y).margin(0.2));
        CHECK(found.scale == Approx(1.68)); // 0.4 of (5 - 0.4 * 2)
    }
}

TEST_CASE("surf: orientations and descriptors are the definition's") {
    const Image image = blobs(240, 200, 4);
    const SurfReference reference(image, 0);
    for (const bool plain : {false, true})
        for (const bool upright : {false, true}) {
            Recipe options = recipe(100);
            options.octaves = 1;
            options.plain_cells = plain;
            options.upright = upright;
            const Descriptors found = extract(image, options);
            REQUIRE(found.size() > 50);
            std::size_t turned_away = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const Keypoint &at = found.keypoints[i];
                if (upright) CHECK(at.orientation == 0);
                const double apart = std::remainder(at.orientation - reference.orientation(at),
                                                    2 * std::numbers::pi);
                if (!upright && std::abs(apart) > 1e-4)
                    ++turned_away; // a sample on a sector's edge
                const auto expected = reference.descriptor(at, plain);
                double sum = 0;
                for (std::size_t j = 0; j < 64; ++j)
                    sum += std::pow(found.row(i)[j] - expected[j], 2);
                if (std::sqrt(sum) > 1e-4) ++turned_away; // or rounded to another pixel
            }
            CHECK(turned_away <= found.size() / 20);
        }
}

// Mirrored descriptors are those of the mirrored image.
#include "tests/extract/surf_scene.hpp"
#include "tests/support/extraction.hpp"

#include <bowhist/encode/mirrored.hpp>
#include <bowhist/extract/extractor.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

Image mirrored(Image image) {
    for (int y = 0; y < image.height; ++y) {
        const auto row = image.pixels.begin() + y * image.width;
        std::reverse(row, row + image.width);
    }
    return image;
}

using Row = std::array<float, 64>;

std::vector<Row> rows_of(const Descriptors &descriptors, Mirroring mirroring) {
    std::vector<Row> rows(descriptors.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (mirroring == Mirroring::none)
            std::ranges::copy(descriptors.row(i), rows[i].begin());
        else
            mirror(descriptors.row(i), mirroring, rows[i]);
    }
    return rows;
}

} // namespace

TEST_CASE("mirror: dense rows of the mirrored image have the same bits where the grid allows it") {
    // Of even cells the middle pixel lies right of the middle; an odd width makes up for it.
    const Recipe recipe{.patches = "8,16,24,32,48,64", .step = 8};
    const auto extractor = make_extractor(recipe);
    const Image image = waves(203, 100, 5);
    auto expected = rows_of(extractor->extract(mirrored(image)), Mirroring::none);
    auto found = rows_of(extractor->extract(image), mirroring_of(recipe));
    REQUIRE(expected.size() > 500);
    std::ranges::sort(expected);
    std::ranges::sort(found);
    CHECK(same_bits(std::vector<float>(expected.front().begin(), expected.front().end()),
                    std::vector<float>(found.front().begin(), found.front().end())));
    CHECK(std::memcmp(expected.data(), found.data(), found.size() * sizeof(Row)) == 0);
}

TEST_CASE("mirror: most surf rows are nearly those of the mirrored image") {
    for (const bool upright : {false, true}) {
        const Recipe recipe{.extractor = "surf", .upright = upright};
        const auto extractor = make_extractor(recipe);
        const Image image = scene({});
        const Descriptors there = extractor->extract(mirrored(image));
        const Descriptors here = extractor->extract(image);
        const auto rows = rows_of(here, mirroring_of(recipe));
        std::size_t pairs = 0;
        std::size_t alike = 0;
        for (std::size_t i = 0; i < here.size(); ++i)
            for (std::size_t j = 0; j < there.size(); ++j) {
                const Keypoint &a = here.keypoints[i];
                const Keypoint &b = there.keypoints[j];
                if (std::abs(static_cast<float>(image.width - 1) - a.x - b.x) > 0.5F ||
                    std::abs(a.y - b.y) > 0.5F || std::abs(a.scale - b.scale) > 0.05F * a.scale)
                    continue;
                ++pairs;
                const auto row = there.row(j);
                alike += std::inner_product(row.begin(), row.end(), rows[i].begin(), 0.0) > 0.9;
            }
        INFO(upright << ": " << alike << " of " << pairs << " of " << here.size());
        CHECK(pairs > here.size() / 2);
        CHECK(alike > pairs * 9 / 10);
    }
}

TEST_CASE(
    "mirror: surf finds mirrored keypoints, their angles and their rows where halving allows it") {
    // Of an odd width every octave's pixels are mirrored, too; what is left is rounding.
    constexpr int width = 249;
    const Image whole = scene({});
    Image image{width, whole.height, {}};
    for (int y = 0; y < whole.height; ++y)
        for (int x = 0; x < width; ++x)
            image.pixels.push_back(whole.pixels[static_cast<std::size_t>(y * whole.width + x)]);
    const Recipe recipe{.extractor = "surf", .threshold = 10, .octaves = 3};
    const auto extractor = make_extractor(recipe);
    const Descriptors there = extractor->extract(mirrored(image));
    const Descriptors here = extractor->extract(image);
    const auto rows = rows_of(here, mirroring_of(recipe));
    std::size_t pairs = 0;
    std::size_t turned = 0;
    std::size_t same = 0;
    for (std::size_t i = 0; i < here.size(); ++i)
        for (std::size_t j = 0; j < there.size(); ++j) {
            const Keypoint &a = here.keypoints[i];
            const Keypoint &b = there.keypoints[j];
            if (std::abs(static_cast<float>(width - 1) - a.x - b.x) > 0.01F ||
                std::abs(a.y - b.y) > 0.01F || std::abs(a.scale - b.scale) > 0.001F * a.scale)
                continue;
            ++pairs;
            const double apart = std::numbers::pi - a.orientation - b.orientation;
            turned += std::cos(apart) > 0.9999; // 0.8 degrees
            const auto row = there.row(j);
            same += std::inner_product(row.begin(), row.end(), rows[i].begin(), 0.0) > 0.9999;
        }
    INFO(here.size() << ": " << pairs << " pairs, " << turned << ", " << same);
    CHECK(pairs > here.size() * 98 / 100);
    CHECK(turned > pairs * 98 / 100);
    CHECK(same > pairs * 98 / 100);
}

TEST_CASE("mirror: of other extractors it is unknown") {
    for (const auto *name : {"kaze", "akaze", "sift", "opencv-surf", "imported"})
        CHECK(mirroring_of({.extractor = name}) == Mirroring::none);
}

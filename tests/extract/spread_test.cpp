// Keypoints spread over the cells of a grid: the definition, and the same on hosts and devices.
#include "bench/cases/blobs.hpp"
#include "tests/extract/surf_extraction.hpp"
#include "tests/support/extraction.hpp"

#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/spread.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

Recipe spread_recipe(std::size_t most, int side, double threshold = 0.1) {
    Recipe options = testing::recipe(threshold);
    options.max_descriptors = most;
    options.spread = side;
    return options;
}

/// Of which many are equally strong.
std::vector<Keypoint> keypoints_at_random(std::size_t count, int width, int height, unsigned seed) {
    std::mt19937 random(seed);
    const auto draw = [&](int most) {
        return static_cast<float>(random() % static_cast<unsigned>(16 * most)) / 16 - 0.5F;
    };
    std::vector<Keypoint> all(count);
    for (Keypoint &one : all)
        one = {.x = draw(width),
               .y = draw(height),
               .scale = 2,
               .orientation = 0,
               .response = static_cast<float>(1 + random() % 50)};
    return all;
}

/// The cell by its edges: its pixels' middles lie within them.
int cell_by_edges(float place, int pixels, int side) {
    const double middle = std::floor(place + 0.5F) + 0.5;
    for (int cell = 0; cell + 1 < side; ++cell)
        if (middle * side < (cell + 1.0) * pixels) return cell;
    return side - 1;
}

/// Takes keypoints one by one, as the definition says.
std::vector<std::size_t> by_definition(const std::vector<Keypoint> &all, std::size_t most, int side,
                                       int width, int height) {
    std::set<std::size_t> taken;
    const auto best_of = [&](const auto &may) {
        std::size_t best = all.size();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (may(i) && !taken.contains(i) &&
                (best == all.size() || all[i].response > all[best].response))
                best = i;
        return best;
    };
    while (taken.size() < std::min(all.size(), most - most / 2))
        taken.insert(best_of([](std::size_t) { return true; }));
    while (taken.size() < std::min(all.size(), most)) {
        std::set<std::size_t> round;
        for (int cell = 0; cell < side * side; ++cell)
            round.insert(best_of([&](std::size_t i) {
                return cell_by_edges(all[i].y, height, side) * side +
                           cell_by_edges(all[i].x, width, side) ==
                       cell;
            }));
        round.erase(all.size()); // of empty cells
        while (!round.empty() && taken.size() < most) {
            const auto next = best_of([&](std::size_t i) { return round.contains(i); });
            round.erase(next);
            taken.insert(next);
        }
    }
    return {taken.begin(), taken.end()};
}

} // namespace

TEST_CASE("spread: half are the strongest, the others are taken from cells in rounds") {
    std::mt19937 random(1);
    for (int round = 0; round < 120; ++round) {
        const int width = static_cast<int>(1 + random() % 120);
        const int height = static_cast<int>(1 + random() % 120);
        const int side = static_cast<int>(1 + random() % 9);
        const auto all = keypoints_at_random(random() % 150, width, height, random());
        const std::size_t most = 1 + random() % 170;
        INFO(all.size() << " in " << width << "x" << height << ", " << most << " over " << side);
        const auto kept = kept_places(all, spread_recipe(most, side), width, height);
        REQUIRE(kept == by_definition(all, most, side, width, height));
        REQUIRE(kept.size() == std::min(most, all.size()));
    }
}

TEST_CASE("spread: cells take alike, and what one lacks the others share") {
    std::vector<Keypoint> all;
    const auto add = [&](float x, int count, float weakest) {
        for (int i = 0; i < count; ++i)
            all.push_back({.x = x,
                           .y = 5,
                           .scale = 2,
                           .orientation = 0,
                           .response = weakest + static_cast<float>(i)});
    };
    add(15, 40, 1000); // of four cells one beside another, the second has the strongest
    add(5, 2, 1);
    add(25, 30, 100);
    add(35, 30, 200);
    const auto kept = kept_places(all, spread_recipe(60, 4), 40, 10);
    const auto counted = [&](float x) {
        return std::ranges::count_if(kept, [&](std::size_t i) { return all[i].x == x; });
    };
    CHECK(counted(15) == 30 + 10);
    CHECK(counted(5) == 2);
    CHECK(counted(25) == 9);
    CHECK(counted(35) == 9);
}

TEST_CASE("spread: one cell, no grid, no limit and too few keypoints leave the strongest") {
    const auto all = keypoints_at_random(200, 64, 48, 3);
    CHECK(kept_places(all, spread_recipe(50, 1), 64, 48) == strongest(all, 50));
    CHECK(kept_places(all, spread_recipe(50, 0), 64, 48) == strongest(all, 50));
    for (const std::size_t most : {0, 200, 1000})
        CHECK(kept_places(all, spread_recipe(most, 8), 64, 48).size() == 200);
    CHECK(kept_places({}, spread_recipe(50, 8), 64, 48).empty());
    CHECK(kept_places(all, spread_recipe(1, 8), 64, 48) == strongest(all, 1));
}

TEST_CASE("spread: a keypoint beyond the edge is in the nearest cell, and no place is outside") {
    for (const int pixels : {1, 3, 16, 511, 512, 99'999, 500'000'000})
        for (const int side : {1, 2, 8, 16}) {
            INFO(pixels << " pixels, " << side);
            for (const float place : {-3e9F, -7.0F, -0.6F, 0.0F})
                CHECK(part_of_axis(place, pixels, side) == side / (2 * pixels));
            for (const float over : {-1.0F, 0.0F, 0.4F, 9.0F, 3e9F})
                CHECK(part_of_axis(static_cast<float>(pixels) + over, pixels, side) ==
                      side - (side + 2 * pixels - 1) / (2 * pixels));
        }
}

TEST_CASE("spread: cells are mirrored with the picture") {
    for (const int pixels : {341, 512, 77})
        for (const int side : {3, 8, 13})
            for (int pixel = 0; pixel < pixels; ++pixel) {
                if ((2 * pixel + 1) * side % (2 * pixels) == 0) continue; // the edge is its middle
                const auto part = [&](int at) {
                    return part_of_axis(static_cast<float>(at), pixels, side);
                };
                REQUIRE(part(pixels - 1 - pixel) == side - 1 - part(pixel));
            }
}

TEST_CASE("spread: surf, kaze and akaze keep these of all their keypoints") {
    const Image image = blobs(220, 170, 3);
    for (const auto *name : {"surf", "kaze", "akaze"}) {
        Recipe options{.extractor = name, .threshold = name == std::string("surf") ? 1 : 1e-5};
        const Descriptors all = make_extractor(options)->extract(image);
        options.max_descriptors = all.size() / 2;
        options.spread = 4;
        const Descriptors few = make_extractor(options)->extract(image);
        const auto places = kept_places(all.keypoints, options, image.width, image.height);
        INFO(name << ": " << all.size());
        REQUIRE(places.size() > 20);
        REQUIRE(places != strongest(all.keypoints, options.max_descriptors));
        const Descriptors expected = rows_at(all, places);
        CHECK(few.values == expected.values);
        CHECK(few.keypoints == expected.keypoints);
    }
}

TEST_CASE("spread: grids of cells that make no sense are refused") {
    for (const int side : {-1, 17, 1000})
        CHECK_THROWS_WITH(make_extractor(spread_recipe(100, side)),
                          Catch::Contains("surf: --spread " + std::to_string(side)));
    CHECK_NOTHROW(make_extractor({.extractor = "dense", .spread = 1000})); // it has no such option
}

TEST_CASE("spread: a device keeps the host's keypoints, of equal ones the first") {
    const std::vector<Image> images = {
        blobs(300, 240, 2), blobs(5, 5, 1),
        dots(160, 120),     {64, 64, std::vector<std::uint8_t>(64 * 64, 7)},
        blobs(64, 250, 5),  noise(140, 160)};
    for (const auto &[most, side] : {std::pair{60, 8}, {301, 16}, {2, 8}, {100'000, 16}}) {
        INFO(most << " over " << side << " x " << side);
        const auto found =
            same_on_device(spread_recipe(static_cast<std::size_t>(most), side), images);
        CHECK(found[0].size() > 64);
        CHECK(found[0].size() <= 64 * static_cast<std::size_t>(most));
    }
}

TEST_CASE("spread: a device keeps those of small pictures", "[oclgrind][spread.cl]") {
    const std::vector<Image> images = {blobs(90, 70, 3), dots(80, 60)};
    const auto found = same_on_device(spread_recipe(12, 3, 0.01), images);
    for (std::size_t i = 0; i < images.size(); ++i) {
        CHECK(found[i].size() == 64 * 12);
        CHECK(found[i] != extract(images[i], spread_recipe(12, 0, 0.01)).values);
    }
}

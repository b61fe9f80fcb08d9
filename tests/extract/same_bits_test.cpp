// Extractors that run on devices, too: the same bits everywhere.
#include "tests/extract/surf_extraction.hpp"
#include "tests/support/extraction.hpp"
#include "tests/support/only_target.hpp"

#include "bench/cases/blobs.hpp"

#include <cfenv>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// What the extractor has much to do on.
Image drawn(const Recipe &recipe, int width, int height, unsigned seed) {
    return recipe.extractor == "surf" ? blobs(width, height, seed) : waves(width, height, seed);
}

struct Case {
    Recipe recipe;
    std::size_t least = 0; ///< descriptors of all images
};

std::vector<Case> cases() {
    std::vector<Case> all = {
        {dense_recipe("16,24,32", 8)},  {dense_recipe("8", 3)},
        {dense_recipe("16", 4)},        {dense_recipe("20,40", 5)},
        {dense_recipe("64", 7)},        {dense_recipe("12,36,52,64", 16)},
        {dense_recipe("28,44,48", 11)}, {dense_recipe("56,60", 1000)},
        {dense_recipe("8,32", 2)},      {dense_recipe("16,32,64", 0)}}; // two steps in one launch
    const auto surf = [&](double threshold, std::size_t least, auto change) {
        Recipe recipe = testing::recipe(threshold);
        change(recipe);
        all.push_back({recipe, least});
    };
    const auto shape = [](int octaves, int layers, int first_size) {
        return [=](Recipe &recipe) {
            recipe.octaves = octaves;
            recipe.layers = layers;
            recipe.first_size = first_size;
        };
    };
    const Recipe usual;
    surf(0.1, 300, [](Recipe & /*recipe*/) {});
    surf(30, 300, [](Recipe &recipe) { recipe.plain_cells = true; });
    surf(30, 300, [](Recipe &recipe) { recipe.upright = true; });
    surf(30, 300, shape(2, 6, 15));
    surf(0.1, 30, shape(1, 8, 33));                           // the largest filters
    surf(30, 300, shape(usual.octaves, 3, usual.first_size)); // searches only the first layer
    surf(30, 300, shape(3, 5, usual.first_size));
    return all;
}

} // namespace

TEST_CASE("extract: every generation of vector units makes the same bits") {
    Recipe plain = testing::recipe();
    plain.plain_cells = plain.upright = true;
    for (const Recipe &recipe : {dense_recipe("16,24,32", 8), testing::recipe(), plain}) {
        const Image image = drawn(recipe, 300, 200, 9);
        const auto extractor = make_extractor(recipe);
        const auto expected = extractor->extract(image).values;
        for_each_target([&](const std::string &target) {
            INFO(recipe.extractor << ", " << target);
            CHECK(same_bits(extractor->extract(image).values, expected));
        });
    }
}

TEST_CASE("extract: the caller's rounding changes nothing") {
    const auto device = shared_device();
    for (const Recipe &recipe : {dense_recipe("16,24,32", 8), testing::recipe()}) {
        const Image image = drawn(recipe, 120, 100, 9);
        const auto extractor = make_extractor(recipe);
        const auto on_its_device = make_device_extractor(device, recipe);
        const auto expected = extractor->extract(image).values;
        for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
            std::fesetround(rounding);
            const auto found = extractor->extract(image).values;
            const auto there = on_device(*on_its_device, *device, {image}).at(0);
            CHECK(std::fegetround() == rounding);
            std::fesetround(FE_TONEAREST);
            CHECK(same_bits(found, expected));
            CHECK(same_bits(there, expected));
        }
    }
}

TEST_CASE("extract: a device makes the host's descriptors, bit for bit, of pictures of any size") {
    for (const auto &[recipe, least] : cases()) {
        INFO(recipe.extractor << " " << recipe.patches << " every " << recipe.step << ", layers "
                              << recipe.layers << ", octaves " << recipe.octaves);
        std::vector<Image> images;
        for (const auto &[width, height] : {std::pair{320, 240},
                                            {1, 1},
                                            {7, 300},
                                            {16, 16},
                                            {27, 27},
                                            {29, 64},
                                            {31, 31},
                                            {33, 57},
                                            {64, 65},
                                            {300, 17},
                                            {300, 33},
                                            {1030, 64},
                                            {70, 600},
                                            {110, 900},
                                            {257, 255},
                                            {400, 330}})
            images.push_back(drawn(recipe, width, height, static_cast<unsigned>(width)));
        images.push_back({64, 64, std::vector<std::uint8_t>(64 * 64, 7)}); // flat
        images.push_back(noise(150, 150));
        std::size_t all = 0;
        for (const auto &found : same_on_device(recipe, images)) all += found.size() / 64;
        CHECK(all > least);
        CHECK(same_on_device(recipe, {}).empty());
        CHECK(same_on_device(recipe, {images[1]}).at(0).empty());
    }
}

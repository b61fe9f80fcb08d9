// Dense descriptors: against their definition (docs/descriptors.md), and the same bits everywhere.
#include "tests/extract/dense_reference.hpp"
#include "tests/support/extraction.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/extract/dense/dense_extractor.hpp>
#include <bowhist/extract/dense/dense_grid.hpp>
#include <bowhist/extract/spread.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

Image transposed(const Image &image) {
    Image result{image.height, image.width, {}};
    for (int x = 0; x < image.width; ++x)
        for (int y = 0; y < image.height; ++y)
            result.pixels.push_back(image.pixels[static_cast<std::size_t>(y * image.width + x)]);
    return result;
}

struct Options {
    std::vector<int> sizes;
    int step;
};

const std::vector<Options> all_options = {
    {{16, 24, 32}, 8},      {{8}, 3},           {{16}, 4},        {{20, 40}, 5}, {{64}, 7},
    {{12, 36, 52, 64}, 16}, {{28, 44, 48}, 11}, {{56, 60}, 1000}, {{8, 32}, 2}};

std::string as_text(const std::vector<int> &sizes) {
    std::string text;
    for (const int size : sizes) text += (text.empty() ? "" : ",") + std::to_string(size);
    return text;
}

Image bars(int width, int height) {
    Image image{width, height, {}};
    for (int pixel = 0; pixel < width * height; ++pixel)
        image.pixels.push_back(pixel % 8 < 4 ? 20 : 99);
    return image;
}

/// The third image has `all` patches, more than a group has work-items.
void check_strongest(const std::vector<Image> &images, const std::vector<std::size_t> &mosts,
                     std::size_t all) {
    Recipe options = dense_recipe("16,24", 4);
    for (const std::size_t most : mosts) {
        INFO(most << " at most");
        options.max_descriptors = most;
        const auto found = same_on_device(options, images);
        CHECK(found[2].size() == 64 * std::min(most, all));
    }
}

} // namespace

TEST_CASE("dense: descriptors are what the definition says") {
    for (const auto &[sizes, step] : all_options)
        for (const auto &[width, height] : {std::pair{64, 64}, {131, 77}, {65, 200}}) {
            INFO(as_text(sizes) << " every " << step << " of " << width << " x " << height);
            const Image image = waves(width, height, 5);
            const auto expected = reference(image, sizes, step, 1);
            const auto found =
                make_dense_extractor(dense_recipe(as_text(sizes), step))->extract(image);
            CHECK(found.dimensions == 64);
            CHECK(same_bits(found.values, expected));
        }
}

TEST_CASE("dense: by default small pictures have patches every 4 pixels, others every 8") {
    for (const auto &[width, step] : {std::pair{399, 4}, {400, 8}}) { // of 150 000 pixels
        const Image image = waves(width, 375, 5);
        const auto expected = make_dense_extractor(dense_recipe("16,32", step))->extract(image);
        const auto found = make_dense_extractor(dense_recipe("16,32", 0))->extract(image);
        CHECK(same_bits(found.values, expected.values));
    }
}

TEST_CASE("dense: the greatest sums are exact: stripes and boards of black and white") {
    for (const int period : {1, 2, 4, 16, 200}) {
        Image stripes{140, 70, {}};
        Image board{140, 70, {}};
        for (int y = 0; y < 70; ++y)
            for (int x = 0; x < 140; ++x) {
                stripes.pixels.push_back(x / period % 2 == 0 ? 0 : 255);
                board.pixels.push_back((x / period + y / period) % 2 == 0 ? 0 : 255);
            }
        for (int size = 8; size <= 64; size += 4)
            for (const Image *image : {&stripes, &board}) {
                INFO("patches of " << size << ", period " << period);
                const auto found = make_dense_extractor(dense_recipe(std::to_string(size), 16));
                CHECK(same_bits(found->extract(*image).values, reference(*image, {size}, 16, 1)));
            }
    }
}

TEST_CASE("dense: a batch without patches is one without descriptors") {
    CHECK(same_on_device(dense_recipe("16", 8), {waves(10, 10, 1)}).at(0).empty());
    CHECK(same_on_device(dense_recipe("16", 8), {}).empty());
}

TEST_CASE("dense: two small pictures on a device",
          "[oclgrind][smooth.cl][dense_pool.cl][dense_weigh.cl][dense_describe.cl]") {
    same_on_device(dense_recipe("16,24", 8), {waves(40, 33, 1), waves(17, 25, 2)});
}

TEST_CASE("dense: brightness changes nothing, turning the picture over turns the descriptor") {
    const Image image = waves(120, 120, 6, 0);
    const auto extractor = make_dense_extractor(dense_recipe("16", 8, 0.001));
    const Descriptors found = extractor->extract(image);
    REQUIRE(found.size() == 14 * 14);
    Image darker = image;
    for (auto &pixel : darker.pixels) pixel = static_cast<std::uint8_t>(pixel / 2);
    Image brighter = darker;
    for (auto &pixel : brighter.pixels) pixel = static_cast<std::uint8_t>(pixel + 100);
    CHECK(extractor->extract(brighter).values == extractor->extract(darker).values);
    const Descriptors turned = extractor->extract(transposed(image));
    for (std::size_t patch = 0; patch < 14 * 14; ++patch)
        for (std::size_t i = 0; i < 64; ++i) {
            const std::size_t cell = i / 4;
            const std::size_t its_cell = cell % 4 * 4 + cell / 4;
            const std::size_t its_channel = (i % 4 + 2) % 4;
            const float other =
                turned.row(patch % 14 * 14 + patch / 14)[its_cell * 4 + its_channel];
            REQUIRE(found.row(patch)[i] == Approx(other).margin(1e-6));
        }
}

TEST_CASE("dense: the patches of highest contrast are kept, in their order") {
    const Image image = waves(200, 160, 8);
    Recipe options = dense_recipe("16,24", 8);
    const Descriptors all = make_dense_extractor(options)->extract(image);
    for (const std::size_t most : {1UL, 10UL, all.size() - 1, all.size(), all.size() + 1}) {
        options.max_descriptors = most;
        const Descriptors few = make_dense_extractor(options)->extract(image);
        CHECK(few.size() == std::min(most, all.size()));
        std::size_t next = 0;
        for (std::size_t i = 0; i < few.size(); ++i) {
            while (next < all.size() && !std::ranges::equal(all.row(next), few.row(i))) ++next;
            CHECK(next++ < all.size());
        }
    }
    Image tiled = image; // the same patches again and again: of equal ones the first
    for (std::size_t i = 0; i < tiled.pixels.size(); ++i)
        tiled.pixels[i] = image.pixels[i / 200 % 32 * 200 + i % 200 % 32];
    const auto few_of = [&](std::size_t most) {
        options.max_descriptors = most;
        return make_dense_extractor(options)->extract(tiled);
    };
    const Descriptors every = few_of(0);
    for (std::size_t most = 1; most <= every.size(); most += 7)
        CHECK(few_of(most).values == keep_strongest(every, most).values);
    options.max_descriptors = 10; // a threshold between the tenth and the eleventh keeps the same
    const Descriptors ten = make_dense_extractor(options)->extract(image);
    options.max_descriptors = 0;
    double low = 1;
    double high = 1000;
    for (int halving = 0; halving < 60; ++halving) {
        options.threshold = (low + high) / 2;
        const std::size_t size = make_dense_extractor(options)->extract(image).size();
        if (size == 10) break;
        (size > 10 ? low : high) = options.threshold;
    }
    CHECK(make_dense_extractor(options)->extract(image).values == ten.values);
}

TEST_CASE("dense: a device keeps the host's strongest, of equal ones the first") {
    const std::vector<Image> images = {waves(70, 50, 3, 0), waves(5, 5, 1), bars(128, 96),
                                       bars(128, 96), waves(40, 41, 4)};
    check_strongest(images, {1, 10, 255, 257, 600, 5000}, 29 * 21 + 27 * 19);
}

TEST_CASE("dense: a device keeps the strongest of few patches", "[oclgrind][strongest.cl]") {
    check_strongest({waves(5, 5, 1), waves(24, 20, 4), bars(80, 64)}, {10, 257, 5000},
                    17 * 13 + 15 * 11);
}

TEST_CASE("dense: flat patches and pictures smaller than a patch have no descriptor") {
    const auto extractor = make_dense_extractor(dense_recipe("16,24,32", 8));
    CHECK(extractor->extract({15, 400, std::vector<std::uint8_t>(15 * 400, 9)}).size() == 0);
    CHECK(extractor->extract({0, 0, {}}).size() == 0);
    CHECK(extractor->extract({64, 64, std::vector<std::uint8_t>(64 * 64, 9)}).size() == 0);
    Image half{64, 64, std::vector<std::uint8_t>(64 * 64, 9)};
    std::fill_n(half.pixels.begin(), 64 * 32, std::uint8_t{10});
    CHECK(extractor->extract(half).size() == 0); // an edge of one grey value
    std::fill_n(half.pixels.begin(), 64 * 32, std::uint8_t{200});
    CHECK(extractor->extract(half).size() > 0);
}

TEST_CASE("dense: steps and patches that make no sense are refused") {
    for (const char *patches : {"", "16,", ",16", "24,16", "16,16", "18", "4", "68", "16 24", "x"})
        CHECK_THROWS_WITH(make_dense_extractor(dense_recipe(patches, 8)),
                          Catch::Contains("16,32,64"));
    Recipe upright = dense_recipe("16", 8);
    upright.upright = true;
    CHECK_THROWS_WITH(make_dense_extractor(upright), Catch::Contains("always upright"));
    CHECK_THROWS_WITH(make_dense_extractor(dense_recipe("16", -1)), Catch::Contains("step"));
}

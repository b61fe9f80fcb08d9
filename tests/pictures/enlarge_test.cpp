// Small pictures enlarged: their size, their pixels, and what that may cost.
#include "tests/files/checks.hpp"
#include "tests/pictures/make_pictures.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/enlarge.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace bowhist;

namespace {

Raster noise(int width, int height, Color color, unsigned seed) {
    std::mt19937 random(seed);
    Raster image{width, height, color, {}};
    image.samples.resize(image.row_samples() * static_cast<std::size_t>(height));
    for (auto &sample : image.samples) sample = static_cast<std::uint8_t>(random() >> 24);
    return image;
}

int sample_of(const Raster &image, int x, int y, int channel) {
    return image.samples[static_cast<std::size_t>(y) * image.row_samples() +
                         static_cast<std::size_t>(x) * static_cast<std::size_t>(image.color) +
                         static_cast<std::size_t>(channel)];
}

/// Between the four pixels around a place, in real numbers.
double bilinear(const Raster &image, double x, double y, int channel) {
    x = std::clamp(x, 0.0, image.width - 1.0);
    y = std::clamp(y, 0.0, image.height - 1.0);
    const int left = static_cast<int>(x);
    const int top = static_cast<int>(y);
    const auto at = [&](int across, int down) {
        return sample_of(image, std::min(left + across, image.width - 1),
                         std::min(top + down, image.height - 1), channel);
    };
    const double upper = at(0, 0) + (x - left) * (at(1, 0) - at(0, 0));
    const double lower = at(0, 1) + (x - left) * (at(1, 1) - at(0, 1));
    return upper + (y - top) * (lower - upper);
}

Raster mirrored(const Raster &image) {
    Raster result = image;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            result.samples[static_cast<std::size_t>(y * image.width + x)] =
                static_cast<std::uint8_t>(sample_of(image, image.width - 1 - x, y, 0));
    return result;
}

Raster transposed(const Raster &image) {
    Raster result{image.height, image.width, image.color, {}};
    for (int x = 0; x < image.width; ++x)
        for (int y = 0; y < image.height; ++y)
            result.samples.push_back(static_cast<std::uint8_t>(sample_of(image, x, y, 0)));
    return result;
}

Raster read(const std::filesystem::path &path, int side, bool enlarge) {
    const Image image = read_image(path, {.max_side = side, .enlarge = enlarge});
    return {image.width, image.height, Color::grey, image.pixels};
}

} // namespace

TEST_CASE("enlarge: the longer side grows to the side asked for, the shape stays") {
    CHECK(enlarged({1, 1}, 512) == PixelSize{512, 512});
    CHECK(enlarged({1, 400}, 512) == PixelSize{1, 512});
    CHECK(enlarged({300, 200}, 512) == PixelSize{512, 341});
    CHECK(enlarged({4, 3}, 6) == PixelSize{6, 5}); // 4.5
    CHECK(enlarged({1, 10000}, 512) == PixelSize{1, 10000});
    CHECK(enlarged({300, 512}, 512) == PixelSize{300, 512});
    CHECK(enlarged({300, 200}, 0) == PixelSize{300, 200});
    CHECK(enlarged({2147483646, 2147483646}, 2147483647) == PixelSize{2147483647, 2147483647});
    std::mt19937 random(2);
    for (int round = 0; round < 10'000; ++round) {
        const PixelSize full{static_cast<int>(1 + random() % 900),
                             static_cast<int>(1 + random() % 900)};
        const int side = static_cast<int>(1 + random() % 1200);
        const PixelSize grown = enlarged(full, side);
        const int longer = std::max(full.width, full.height);
        INFO(full.width << "x" << full.height << " to " << side);
        if (longer >= side) {
            REQUIRE(grown == full);
            continue;
        }
        REQUIRE(std::max(grown.width, grown.height) == side);
        REQUIRE((grown.width >= full.width && grown.height >= full.height));
        const double shorter = std::min(full.width, full.height);
        REQUIRE(std::abs(std::min(grown.width, grown.height) - shorter * side / longer) <= 0.5);
    }
}

TEST_CASE("enlarge: pixels lie between their neighbors, rounded once") {
    std::mt19937 random(4);
    for (int round = 0; round < 150; ++round) {
        const auto length = [&](int most) { return static_cast<int>(1 + random() % most); };
        const Color color = round % 2 == 0 ? Color::grey : Color::bgr;
        const Raster image = noise(length(40), length(40), color, random());
        const PixelSize to{image.width + length(90) - 1, image.height + length(90) - 1};
        const Raster large = enlarge(image, to);
        INFO(image.width << "x" << image.height << " to " << to.width << "x" << to.height);
        REQUIRE((PixelSize{large.width, large.height} == to && large.color == color));
        REQUIRE(large.samples.size() == large.row_samples() * static_cast<std::size_t>(to.height));
        double worst = 0;
        for (int y = 0; y < to.height; ++y)
            for (int x = 0; x < to.width; ++x)
                for (int channel = 0; channel < static_cast<int>(color); ++channel) {
                    const double exact =
                        bilinear(image, (x + 0.5) * image.width / to.width - 0.5,
                                 (y + 0.5) * image.height / to.height - 0.5, channel);
                    worst = std::max(worst, std::abs(sample_of(large, x, y, channel) - exact));
                }
        constexpr double of_weights = 2 * 255 / 4096.0; // both axes' are rounded
        REQUIRE(worst <= 0.5 + of_weights);
    }
}

TEST_CASE("enlarge: one size is a copy, one grey stays, and halves of weights go both ways") {
    const Raster image = noise(31, 17, Color::bgr, 1);
    CHECK(enlarge(image, {31, 17}).samples == image.samples);
    const Raster flat{3, 2, Color::grey, std::vector<std::uint8_t>(6, 255)};
    CHECK(enlarge(flat, {700, 512}).samples == std::vector<std::uint8_t>(700 * 512, 255));
    CHECK(enlarge({1, 1, Color::grey, {9}}, {40, 30}).samples ==
          std::vector<std::uint8_t>(40 * 30, 9));
    CHECK(enlarge({2, 1, Color::grey, {0, 255}}, {4, 1}).samples ==
          std::vector<std::uint8_t>{0, 64, 191, 255}); // 63.75, 191.25
}

TEST_CASE(
    "enlarge: a mirrored or transposed picture is enlarged to what is mirrored or transposed") {
    for (const auto &[size, to] : {std::pair{PixelSize{5, 7}, PixelSize{4096, 9}},
                                   {{7, 30}, {512, 400}},
                                   {{300, 200}, {512, 341}},
                                   {{511, 3}, {512, 3}},
                                   {{3, 2}, {6144, 31}}}) {
        const Raster image = noise(size.width, size.height, Color::grey, 8);
        const Raster large = enlarge(image, to);
        CHECK(enlarge(mirrored(image), to).samples == mirrored(large).samples);
        CHECK(enlarge(transposed(image), {to.height, to.width}).samples ==
              transposed(large).samples);
    }
}

TEST_CASE("enlarge: pictures of every decoder and orientation, upright, are what is enlarged") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(90, 60);
    const auto jpeg = encode(".jpg", photo);
    for (const auto &path :
         {save(folder / "a.jpg", jpeg), save(folder / "b.png", encode(".png", photo)),
          save(folder / "c.jpg", with_orientation(jpeg, 6)),
          save(folder / "d.png", encode(".png", make_photo(9, 200)))}) {
        INFO(path);
        const Raster plain = read(path, 256, false);
        const Raster large = read(path, 256, true);
        CHECK(std::max(large.width, large.height) == 256);
        CHECK(large.samples == enlarge(plain, {large.width, large.height}).samples);
        CHECK(read(path, 40, true).samples == read(path, 40, false).samples);
        CHECK(read(path, 0, true).samples == read(path, 0, false).samples);
    }
    const auto strip = save(folder / "strip.png", encode(".png", make_photo(1, 10'000)));
    CHECK(read(strip, 512, true).samples == read(strip, 512, false).samples);
    CHECK(
        read(save(folder / "dot.png", encode(".png", make_photo(1, 1))), 33, true).samples.size() ==
        33 * 33);
}

TEST_CASE("enlarge: a picture that would grow beyond the limits is refused") {
    const TemporaryFolder folder;
    const auto path = save(folder / "x.png", encode(".png", make_photo(30, 20)));
    const auto refused = [&](const ImageLimits &limits, const char *words) {
        checks::require_error(Fault::input, path.string(), {words},
                              [&] { read_image(path, limits); });
    };
    refused({.max_bytes = 500'000, .max_side = 1200, .enlarge = true}, "raise --max-bytes");
    CHECK_NOTHROW(read_image(path, {.max_bytes = 500'000, .max_side = 1200}));
    CHECK_NOTHROW(read_image(path, {.max_bytes = 1'000'000, .max_side = 1200, .enlarge = true}));
    refused(
        {.max_side = 2'000'000'000, .enlarge = true},
        "30x20 pixels, enlarged to 2666666666000000000, more than the limit of 500000000; lower "
        "--max-side or raise --max-pixels");
    CHECK_NOTHROW(read_image(path, {.max_side = 2'000'000'000}));
}

#include "tests/support/drawn_library.hpp"

#include <bowhist/duplicates/frames.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/picture_file.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

/// Things of all levels before a textured ground, and a bright one that moves.
Image frame(unsigned seed, int moved, int width = 240, int height = 180) {
    std::mt19937 random(seed);
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        image.pixels.push_back(static_cast<std::uint8_t>(110 + random() % 16));
    const auto fill = [&](int left, int top, int side, int level) {
        for (int y = top; y < std::min(top + side, height); ++y)
            for (int x = left; x < std::min(left + side, width); ++x)
                image.pixels[static_cast<std::size_t>(y * width + x)] =
                    static_cast<std::uint8_t>(level);
    };
    for (int i = 0; i < 40; ++i) {
        const int x = static_cast<int>(random()) & 127, y = static_cast<int>(random()) & 127;
        fill(x, y, 8 + static_cast<int>(random() % 40), static_cast<int>(random() % 200));
    }
    fill(20 + 30 * moved, 60, 24, 240);
    return image;
}

std::vector<Image> film(unsigned seed, int count = 4) {
    std::vector<Image> frames;
    for (int i = 0; i < count; ++i) frames.push_back(frame(seed, i));
    return frames;
}

/// As an encoding with loss leaves it.
Image encoded(Image image, unsigned seed) {
    std::mt19937 random(seed);
    for (std::uint8_t &pixel : image.pixels)
        pixel = static_cast<std::uint8_t>(
            std::clamp(pixel + static_cast<int>(random() % 25) - 12, 0, 255));
    return image;
}

Image halved(const Image &image) {
    const PixelSize size{image.width / 2, image.height / 2};
    return {size.width, size.height,
            shrink({.width = image.width, .height = image.height, .samples = image.pixels}, size)
                .samples};
}

template <typename Change>
std::vector<Image> changed(std::vector<Image> frames, const Change &change) {
    for (Image &image : frames) image = change(image);
    return frames;
}

TEST_CASE("frames: the same ones agree, encoded with loss and in another size") {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const std::vector<Image> one = film(seed);
        CHECK(compare_all_frames(one, one).agree);
        CHECK(compare_all_frames(one, one).score == Approx(1));
        CHECK(compare_all_frames(one, one).compared == 180);
        const auto lossy = changed(one, [&](const Image &image) { return encoded(image, seed); });
        CHECK(compare_all_frames(one, lossy).agree);
        const auto small = changed(lossy, halved);
        CHECK(compare_all_frames(one, small).agree);
        CHECK(compare_all_frames(small, one).agree);
        CHECK(compare_all_frames(small, one).compared == 90);
    }
}

TEST_CASE("frames: a single other frame is enough to differ") {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const std::vector<Image> one = film(seed);
        for (std::size_t place = 0; place < one.size(); ++place) {
            std::vector<Image> other = one;
            other[place] = one[(place + 1) % one.size()];
            CHECK_FALSE(compare_all_frames(one, other).agree);
            const auto lossy =
                changed(other, [&](const Image &image) { return encoded(image, seed); });
            CHECK_FALSE(compare_all_frames(one, lossy).agree);
            CHECK_FALSE(compare_all_frames(one, changed(lossy, halved)).agree);
        }
    }
}

TEST_CASE("frames: where encodings lose nothing, little things count") {
    const Image image = frame(1, 0);
    Image dotted = image, faded = image;
    for (int y = 100; y < 103; ++y)
        for (int x = 200; x < 203; ++x) dotted.pixels[static_cast<std::size_t>(y * 240 + x)] = 0;
    for (std::uint8_t &pixel : faded.pixels) pixel = static_cast<std::uint8_t>(pixel - pixel / 20);
    CHECK(compare_frames(image, image).agree);
    CHECK_FALSE(compare_frames(image, dotted).agree);
    CHECK_FALSE(compare_frames(image, faded).agree);
}

TEST_CASE("frames: where encodings lose nothing, a changed letter counts") {
    Image page{200, 100, std::vector<std::uint8_t>(200 * 100, 255)};
    for (std::size_t y = 10; y < 90; y += 12)
        for (std::size_t x = 10; x < 190; x += 6)
            for (std::size_t i = 0; i < 7; ++i) page.pixels[(y + i) * 200 + x] = 0;
    Image other = page;
    std::swap(other.pixels[46 * 200 + 100], other.pixels[46 * 200 + 101]); // no darker in the mean
    CHECK(other.pixels != page.pixels);
    CHECK(compare_frames(page, page).agree);
    CHECK_FALSE(compare_frames(page, other).agree);
    CHECK(compare_frames(page, encoded(page, 1)).agree);
    CHECK(compare_frames(page, halved(page)).agree);
}

TEST_CASE("frames: a little thing in one frame counts where encodings lose something") {
    for (unsigned seed = 0; seed < 10; ++seed) {
        const std::vector<Image> one = film(seed);
        std::vector<Image> other = one;
        for (std::size_t y = 150; y < 158; ++y)
            for (std::size_t x = 200; x < 208; ++x)
                other[2].pixels[y * 240 + x] = (x + y) % 8 < 4 ? 60 : 190;
        const auto lossy = [&](const std::vector<Image> &frames) {
            return changed(frames, [&](const Image &image) { return encoded(image, seed); });
        };
        CHECK(compare_all_frames(one, lossy(one)).agree);
        CHECK_FALSE(compare_all_frames(one, lossy(other)).agree);
        CHECK_FALSE(compare_all_frames(lossy(other), one).agree);
    }
}

TEST_CASE("frames: small letters may hide another one") {
    Image page{200, 100, std::vector<std::uint8_t>(200 * 100, 255)};
    for (std::size_t y = 10; y < 90; y += 12)
        for (std::size_t x = 10; x < 190; x += 6)
            for (std::size_t i = 0; i < 7; ++i) page.pixels[(y + i) * 200 + x] = 0;
    const std::vector<Image> one{page, page};
    std::vector<Image> other = changed(one, [](const Image &image) { return encoded(image, 2); });
    CHECK_FALSE(compare_all_frames(one, one).doubtful);
    for (std::size_t i = 0; i < 7; ++i) {
        other[1].pixels[(46 + i) * 200 + 100] = 120;
        other[1].pixels[(46 + i) * 200 + 101] = 135;
    }
    const FrameComparison found = compare_all_frames(one, other);
    CHECK((found.doubtful || !found.agree));
}

TEST_CASE("frames: another number, order or shape is no copy") {
    const std::vector<Image> one = film(3);
    std::vector<Image> turned = one;
    std::ranges::reverse(turned);
    CHECK_FALSE(compare_all_frames(one, turned).agree);
    CHECK_FALSE(compare_all_frames(one, film(3, 5)).agree);
    CHECK_FALSE(compare_all_frames(one, {}).agree);
    CHECK_FALSE(compare_all_frames({}, {}).agree);
    CHECK_FALSE(compare_frames(frame(3, 0, 240, 180), frame(3, 0, 180, 240)).agree);
    CHECK_FALSE(compare_frames(one.front(), {}).agree);
}

TEST_CASE("frames: what moves is seen before a ground of nearly its level") {
    const auto with_thing = [](std::size_t left) {
        Image image = frame(7, 0);
        for (std::size_t y = 140; y < 164; ++y)
            for (std::size_t x = left; x < left + 24; ++x) image.pixels[y * 240 + x] += 18;
        return image;
    };
    const auto encode = [](const Image &image) { return encoded(image, 1); };
    const std::vector<Image> one{with_thing(10), with_thing(60), with_thing(110), with_thing(160)};
    CHECK(compare_all_frames(one, changed(one, encode)).agree);
    for (const std::size_t replaced : {1U, 2U, 3U})
        for (const std::size_t by : {0U, 1U, 2U, 3U}) {
            std::vector<Image> other = one;
            other[replaced] = one[by];
            CHECK(compare_all_frames(one, changed(other, encode)).agree == (replaced == by));
            CHECK(compare_all_frames(changed(other, encode), one).agree == (replaced == by));
        }
}

TEST_CASE("frames: of any size") {
    for (const int side : {1, 2, 3, 4, 7, 8, 9, 31}) {
        const std::size_t pixels = static_cast<std::size_t>(side) * 5;
        const Image black{side, 5, std::vector<std::uint8_t>(pixels)};
        const Image white{side, 5, std::vector<std::uint8_t>(pixels, 255)};
        CHECK(compare_frames(black, black).agree);
        CHECK(compare_frames(black, black).score == 1);
        CHECK_FALSE(compare_frames(black, white).agree);
    }
}

TEST_CASE("frames: a still is found among those behind the first one") {
    const std::vector<Image> frames = film(5);
    for (std::size_t i = 1; i < frames.size(); ++i) {
        CHECK(compare_later_frames(encoded(frames[i], 1), frames).agree);
        CHECK(compare_later_frames(halved(frames[i]), frames).agree);
    }
    CHECK_FALSE(compare_later_frames(frames.front(), frames).agree);
    CHECK_FALSE(compare_later_frames(frame(6, 1), frames).agree);
    CHECK_FALSE(compare_later_frames(frames.front(), std::span(frames).first(1)).agree);
}

/// A GIF of one pixel with frames that are not looked at.
std::string gif(int frames) {
    using namespace std::string_literals;
    std::string bytes = "GIF89a\1\0\1\0\0\0\0"s;
    for (int i = 0; i < frames; ++i) bytes += ",\0\0\0\0\1\0\1\0\0\2\2\x4c\1\0"s;
    return bytes + ";";
}

TEST_CASE("frames: their number is read from a file that a library knows less of") {
    const TemporaryFolder folder;
    const testing::DrawnLibrary drawn;
    const Library library(drawn.path);
    NumberedImages images;
    const auto add = [&](const std::string &name, const std::string &bytes, std::uint64_t size) {
        const std::filesystem::path path = folder / name;
        if (!bytes.empty()) std::ofstream(path, std::ios::binary) << bytes;
        LibraryImage image{.id = 0, .path = path.string()};
        if (!bytes.empty()) image.stamp = read_image_traits(path).second;
        image.stamp.size += size - bytes.size();
        images.add(library, image);
    };
    add("three.gif", gif(3), gif(3).size());
    add("one.GIF", gif(1), gif(1).size());
    add("changed.gif", gif(3), gif(2).size());
    add("gone.gif", "", 0);
    add("gone.jpg", "", 0);
    LibraryImage known{.id = 0, .path = "gone.tif"};
    known.frames = 7;
    images.add(library, known);
    FrameCounts counts(images);
    for (int again = 0; again < 2; ++again) {
        CHECK(counts.of(0) == 3U);
        CHECK(counts.of(1) == 1U);
        CHECK(counts.of(2) == std::nullopt);
        CHECK(counts.of(3) == std::nullopt);
        CHECK(counts.of(4) == 1U);
        CHECK(counts.of(5) == 7U);
    }
}

} // namespace
} // namespace bowhist

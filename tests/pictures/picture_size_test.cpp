#include "tests/pictures/make_pictures.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <thread>

using namespace bowhist;

TEST_CASE("pictures: A large JPEG keeps shape, orientation and look when decoded at a fraction") {
    const TemporaryFolder folder;
    for (const auto full : {cv::Size(1040, 767), cv::Size(1023, 2047), cv::Size(2048, 2041)}) {
        const auto jpeg = encode(".jpg", make_photo(full.width, full.height));
        const auto stored = matrix_of(read_image(save(folder / "0.jpg", jpeg), {.max_side = 0}));
        REQUIRE(stored.size() == full);
        for (const int side : {64, 100, 256, 511, 1000}) {
            for (const int orientation : {1, 6, 7}) {
                INFO(full << " to " << side << ", orientation " << orientation);
                cv::Mat expected;
                const double scale = static_cast<double>(side) / std::max(full.width, full.height);
                const cv::Size size(static_cast<int>(std::lround(full.width * scale)),
                                    static_cast<int>(std::lround(full.height * scale)));
                cv::resize(stored, expected, size, 0, 0, cv::INTER_AREA);
                expected = turned(expected, orientation);
                const auto path = save(folder / "x.jpg", with_orientation(jpeg, orientation));
                const auto image = matrix_of(read_image(path, {.max_side = side}));
                REQUIRE(image.size() == expected.size());
                CHECK(mean_difference(image, expected) < 2.5);
            }
        }
    }
}

TEST_CASE("pictures: The longer side shrinks to max_side, the shorter is rounded and never 0") {
    const TemporaryFolder folder;
    const auto size_of = [&](int width, int height, int side) {
        const auto path = save(folder / "x.png", encode(".png", make_photo(width, height)));
        const auto image = read_image(path, {.max_side = side});
        CHECK(image.pixels.size() == static_cast<std::size_t>(image.width) * image.height);
        return cv::Size(image.width, image.height);
    };
    CHECK(size_of(300, 200, 300) == cv::Size(300, 200));
    CHECK(size_of(300, 200, 0) == cv::Size(300, 200));
    CHECK(size_of(300, 200, 299) == cv::Size(299, 199));
    CHECK(size_of(200, 301, 100) == cv::Size(66, 100));
    CHECK(size_of(60, 10, 12) == cv::Size(12, 2));
    CHECK(size_of(1, 1, 1) == cv::Size(1, 1));
}

TEST_CASE("pictures: A long strip keeps a useful short side, and a note says so") {
    const TemporaryFolder folder;
    const cv::Mat strip = make_photo(80, 1200);
    const auto tall = save(folder / "tall.jpg", encode(".jpg", strip));
    const auto turned_strip =
        save(folder / "turned.jpg", with_orientation(encode(".jpg", strip), 6));
    const auto wide = save(folder / "wide.png", encode(".png", strip.t()));
    const auto check = [](const std::filesystem::path &path, cv::Size size, const char *note) {
        ImageRemarks remarks;
        const Image image = read_image(path, {.max_side = 120}, &remarks);
        CHECK(cv::Size(image.width, image.height) == size);
        CHECK(remarks.is_long_strip);
        CHECK(remarks.note == path.native() + ": " + note);
    };
    check(tall, {20, 300}, "80x1200 pixels, a long strip: shrunk to 20x300 instead of 8x120");
    check(turned_strip, {300, 20},
          "1200x80 pixels, a long strip: shrunk to 300x20 instead of 120x8");
    check(wide, {300, 20}, "1200x80 pixels, a long strip: shrunk to 300x20 instead of 120x8");
    const auto thin = save(folder / "thin.png", encode(".png", make_photo(6, 200)));
    check(thin, {6, 200}, "6x200 pixels, a long strip: kept as it is instead of 4x120");

    ImageRemarks remarks;
    read_image(tall, {.max_side = 0}, &remarks);
    CHECK_FALSE(remarks.is_long_strip);
    CHECK(remarks.note.empty());
    // a page has no room for more than a thumbnail's box
    const auto thumbnail = decode(thumbnail_jpeg(tall, 120), cv::IMREAD_UNCHANGED);
    CHECK(thumbnail.size() == cv::Size(8, 120));
}

TEST_CASE("pictures: Many threads read the same pixels") {
    const TemporaryFolder folder;
    const auto path = save(folder / "x.jpg", encode(".jpg", make_photo(800, 600)));
    const auto expected = read_image(path, {.max_side = 150}).pixels;
    std::vector<Image> images(4);
    {
        std::vector<std::jthread> threads;
        for (auto &image : images) {
            threads.emplace_back([&image, &path] { image = read_image(path, {.max_side = 150}); });
        }
    }
    for (const auto &image : images) CHECK(image.pixels == expected);
}

#include "tests/pictures/make_pictures.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
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

namespace {

cv::Mat noise(cv::Size size, Color color) {
    cv::Mat image(size, CV_MAKETYPE(CV_8U, static_cast<int>(color)));
    cv::RNG random(3);
    random.fill(image, cv::RNG::UNIFORM, 0, 256);
    return image;
}

Raster average_of(const cv::Mat &image, PixelSize to, Color color) {
    AreaAverage average({image.cols, image.rows}, to, color);
    for (int y = 0; y < image.rows; ++y) average.add(image.ptr(y));
    return average.take();
}

bool same(const Raster &ours, const cv::Mat &theirs) {
    const auto bytes = theirs.isContinuous() ? theirs : theirs.clone();
    return std::equal(ours.samples.begin(), ours.samples.end(), bytes.data,
                      bytes.data + bytes.total() * bytes.elemSize());
}

} // namespace

TEST_CASE("pictures: Areas are averaged to the bytes of cv::resize") {
    const std::pair<cv::Size, cv::Size> shapes[] = {{{1, 1}, {1, 1}},
                                                    {{64, 48}, {64, 48}},
                                                    {{64, 48}, {32, 24}},
                                                    {{67, 48}, {1, 1}},
                                                    {{96, 63}, {32, 21}},
                                                    {{96, 63}, {32, 63}},
                                                    {{96, 63}, {48, 21}},
                                                    {{96, 63}, {48, 20}},
                                                    {{1500, 1000}, {1024, 683}},
                                                    {{2047, 1365}, {1024, 683}},
                                                    {{1025, 769}, {1024, 768}},
                                                    {{500, 1}, {10, 1}},
                                                    {{1, 500}, {1, 10}},
                                                    {{1001, 7}, {17, 3}},
                                                    {{300, 200}, {299, 199}}};
    for (const auto &[from, to] : shapes)
        for (const Color color : {Color::grey, Color::bgr}) {
            INFO(from << " to " << to << ", " << static_cast<int>(color) << " channels");
            const cv::Mat image = noise(from, color);
            cv::Mat expected;
            cv::resize(image, expected, to, 0, 0, cv::INTER_AREA);
            CHECK(same(average_of(image, {to.width, to.height}, color), expected));
        }
}

TEST_CASE("pictures: Areas of every shape are averaged to the bytes of cv::resize") {
    cv::RNG random(8);
    for (int round = 0; round < 300; ++round) {
        const cv::Size from(random.uniform(1, 120), random.uniform(1, 120));
        const cv::Size to(random.uniform(1, from.width + 1), random.uniform(1, from.height + 1));
        INFO(from << " to " << to);
        const cv::Mat image = noise(from, Color::grey);
        cv::Mat expected;
        cv::resize(image, expected, to, 0, 0, cv::INTER_AREA);
        CHECK(same(average_of(image, {to.width, to.height}, Color::grey), expected));
    }
}

TEST_CASE("pictures: A long strip keeps a sixth of the side, within the side's square") {
    CHECK(shrunk({800, 12000}, 384) == PixelSize{64, 960});
    CHECK(shrunk({12000, 800}, 384) == PixelSize{960, 64});
    CHECK(shrunk({120, 9600}, 384) == PixelSize{42, 3434}); // 384 / sqrt(80) = 42.9
    CHECK(shrunk({30, 5000}, 1024) == PixelSize{30, 5000}); // fewer pixels than 1024 x 1024
    CHECK(shrunk({30, 5000}, 0) == PixelSize{30, 5000});
    CHECK(shrunk({600, 3600}, 384) == PixelSize{64, 384});
    CHECK(shrunk({601, 3600}, 384) == PixelSize{64, 384});
    CHECK(shrunk({500, 1}, 10) == PixelSize{100, 1});
    CHECK(shrunk({100, 1}, 1) == PixelSize{1, 1});
    cv::RNG random(4);
    for (int round = 0; round < 20'000; ++round) {
        const auto length = [&](int most) { return random.uniform(1, random.uniform(2, most)); };
        const PixelSize full{length(20'000), length(20'000)};
        const int side = length(1200);
        const PixelSize left = shrunk(full, side);
        INFO(full.width << "x" << full.height << " to " << side);
        REQUIRE((left.width >= 1 && left.height >= 1));
        REQUIRE((left.width <= full.width && left.height <= full.height));
        const auto [shorter, longer] = std::minmax(full.width, full.height);
        if (longer <= side || longer <= 6 * shorter) {
            REQUIRE(left == boxed(full, side));
            continue;
        }
        REQUIRE(static_cast<std::int64_t>(left.width) * left.height <=
                static_cast<std::int64_t>(side) * side);
        const int short_side = std::min(left.width, left.height);
        if (longer <= 36 * shorter) REQUIRE(short_side >= std::min(shorter, std::max(1, side / 6)));
        if (short_side < 2) continue; // no shape is left
        const double shape = static_cast<double>(longer) / shorter;
        const double shape_left =
            static_cast<double>(std::max(left.width, left.height)) / short_side;
        REQUIRE(shape_left >= shape - 1.0 / short_side); // both sides are rounded down
        REQUIRE(shape_left <= shape * (short_side + 1) / short_side);
    }
}

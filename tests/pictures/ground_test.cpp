#include "tests/pictures/make_pictures.hpp"
#include "tests/pictures/make_tiffs.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/ground.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bowhist;
using namespace std::string_literals;

namespace {

/// Bars of one color on a clear ground, whose own color is what lies below there.
cv::Mat drawing(cv::Scalar color, cv::Scalar below) {
    cv::Mat image(64, 96, CV_8UC4, cv::Scalar(below[0], below[1], below[2], 0));
    for (int x = 8; x < 90; x += 16)
        cv::rectangle(image, {x, 8, 7, 40}, {color[0], color[1], color[2], 255}, cv::FILLED);
    return image;
}

/// Where the bars of a drawing are, and where its ground shows.
int bar_of(const cv::Mat &image) {
    return image.at<std::uint8_t>(20, 10);
}
int ground_of(const cv::Mat &image) {
    return image.at<std::uint8_t>(60, 3);
}

const cv::Scalar white = cv::Scalar::all(255);
const cv::Scalar black = cv::Scalar::all(0);

/// The drawing in every format that OpenCV writes with an alpha channel, and TIFF's ways.
std::vector<std::string> encoded(const cv::Mat &image) {
    cv::Mat deep;
    image.convertTo(deep, CV_16U, 257);
    std::vector<std::string> files = {encode(".png", image), encode(".png", deep),
                                      encode(".webp", image, {cv::IMWRITE_WEBP_QUALITY, 101}),
                                      encode(".webp", image, {cv::IMWRITE_WEBP_QUALITY, 80})};
    const auto samples = tiff_samples(image);
    const TiffTag straight{338, 3, {2}};
    files.push_back(make_tiff(samples, {}, {straight}));
    files.push_back(make_tiff(samples * 257, {.bits = 16}, {straight}));
    files.push_back(make_tiff(samples / 255, {.bits = 32, .format = 3}, {straight}));
    cv::Mat multiplied = samples.clone();
    for (auto pixel = multiplied.begin<cv::Vec4d>(); pixel != multiplied.end<cv::Vec4d>(); ++pixel)
        if ((*pixel)[3] == 0) *pixel = {0, 0, 0, 0};
    const TiffTag associated{338, 3, {1}};
    files.push_back(make_tiff(multiplied, {}, {associated}));
    files.push_back(make_tiff(multiplied * 257, {.bits = 16, .tile = 16}, {associated}));
    return files;
}

} // namespace

TEST_CASE("ground: A white drawing lies on black, every other one on white") {
    for (const auto &below : {white, black}) {
        int file = 0;
        for (const auto &bytes : encoded(drawing(white, below))) {
            INFO("white, file " << file++);
            const cv::Mat image = read_bytes(bytes);
            CHECK(bar_of(image) >= 250);
            CHECK(ground_of(image) == 0);
        }
        file = 0;
        for (const auto &bytes : encoded(drawing(black, below))) {
            INFO("black, file " << file++);
            const cv::Mat image = read_bytes(bytes);
            CHECK(bar_of(image) <= 5);
            CHECK(ground_of(image) == 255);
        }
    }
    for (const int grey : {60, 128, 190})
        CHECK(ground_of(read_bytes(encode(".png", drawing(cv::Scalar::all(grey), black)))) == 255);
    for (const int grey : {230, 245})
        CHECK(ground_of(read_bytes(encode(".png", drawing(cv::Scalar::all(grey), black)))) == 0);
}

TEST_CASE("ground: Grey with alpha, and palettes, have one, too") {
    for (const bool is_white : {true, false}) {
        INFO(is_white);
        const int grey = is_white ? 255 : 0;
        std::vector<cv::Mat> channels;
        cv::split(drawing(cv::Scalar::all(grey), cv::Scalar::all(grey)), channels);
        cv::Mat pair;
        cv::merge(std::vector<cv::Mat>{channels[0], channels[3]}, pair);
        cv::Mat samples;
        pair.convertTo(samples, CV_64F);
        for (const int kind : {1, 2}) // multiplied or straight
            for (const int bits : {8, 16}) {
                INFO("alpha " << kind << ", " << bits << " bits");
                const auto image = read_bytes(make_tiff(samples * (bits == 8 ? 1 : 257),
                                                        {.bits = bits, .photometric = 1},
                                                        {{338, 3, {double(kind)}}}));
                CHECK(bar_of(image) == grey);
                CHECK(ground_of(image) == 255 - grey);
            }
    }
}

TEST_CASE("ground: A grey PNG's transparent sample lets the ground show") {
    const auto transparent = [](const cv::Mat &grey, int sample) {
        auto png = encode(".png", grey);
        return png.insert(33, "\0\0\0\2tRNS"s + static_cast<char>(sample >> 8) +
                                  static_cast<char>(sample) + "crc4");
    };
    for (const bool is_white : {true, false})
        for (const int factor : {1, 257}) {
            INFO(is_white << ", " << factor);
            const int drawn = is_white ? 255 : 0;
            const int clear = is_white ? 254 : 1;
            cv::Mat grey(64, 96, CV_8U, cv::Scalar(clear));
            for (int x = 8; x < 90; x += 16)
                cv::rectangle(grey, {x, 8, 7, 40}, cv::Scalar(drawn), cv::FILLED);
            if (factor > 1) grey.convertTo(grey, CV_16U, factor);
            const cv::Mat image = read_bytes(transparent(grey, clear * factor));
            CHECK(bar_of(image) == drawn);
            CHECK(ground_of(image) == 255 - drawn);
        }
    auto damaged = transparent(cv::Mat(8, 8, CV_8U, cv::Scalar(0)), 0);
    damaged[24] = '\0'; // a depth of no bits
    CHECK_THROWS_AS(read_bytes(damaged), Error);
}

TEST_CASE("ground: A picture that shows on white keeps it") {
    // a window with round corners: a light page with a few dark words
    cv::Mat window(120, 160, CV_8UC4, cv::Scalar(250, 250, 250, 255));
    for (int y = 20; y < 100; y += 12)
        cv::rectangle(window, {20, y, 60, 4}, cv::Scalar(40, 40, 40, 255), cv::FILLED);
    for (const auto corner : {cv::Point(0, 0), {152, 0}, {0, 112}, {152, 112}})
        cv::rectangle(window, {corner, cv::Size(8, 8)}, cv::Scalar::all(0), cv::FILLED);
    CHECK(read_bytes(encode(".png", window)).at<std::uint8_t>(0, 0) == 255);
    // a sticker in all colors
    cv::Mat sticker;
    cv::cvtColor(make_photo(100, 80), sticker, cv::COLOR_BGR2BGRA);
    cv::rectangle(sticker, {0, 0, 100, 20}, cv::Scalar::all(0), cv::FILLED);
    CHECK(read_bytes(encode(".png", sticker)).at<std::uint8_t>(0, 0) == 255);
    // nothing at all, and one color all over
    CHECK(read_bytes(encode(".png", cv::Mat(20, 20, CV_8UC4, cv::Scalar(255, 255, 255, 0))))
              .at<std::uint8_t>(0, 0) == 255);
    CHECK(read_bytes(encode(".png", cv::Mat(20, 20, CV_8UC4, cv::Scalar(255, 255, 255, 255))))
              .at<std::uint8_t>(0, 0) == 255);
}

TEST_CASE("ground: Size and color have no say in it") {
    const TemporaryFolder folder;
    const auto path = save(folder / "x.png", encode(".png", drawing(white, white)));
    for (const int side : {8, 33, 96}) {
        const Image small = read_image(path, {.max_side = side});
        CHECK(small.pixels.back() == 0);
        const cv::Mat thumbnail = decode(thumbnail_jpeg(path, side), cv::IMREAD_COLOR);
        CHECK(thumbnail.at<cv::Vec3b>(thumbnail.rows - 1, thumbnail.cols - 1)[0] < 20);
    }
}

TEST_CASE("ground: The sums do not depend on the order, nor on pixels taken together") {
    Ground one_by_one;
    Ground together;
    for (int i = 0; i < 3; ++i) one_by_one.add_transparent(250, 255, false);
    for (int i = 0; i < 5; ++i) one_by_one.add_transparent(7, 0, false);
    together.add_transparent(7, 0, false, 5);
    together.add_transparent(250, 255, false, 3);
    CHECK(one_by_one.choice() == Ground::black);
    CHECK(together.choice() == Ground::black);
    CHECK(Ground().choice() == Ground::white);
}

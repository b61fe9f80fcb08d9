#include "tests/pictures/make_pictures.hpp"
#include "tests/pictures/make_tiffs.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/container/png_chunks.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bowhist;
using namespace std::string_literals;

namespace {

using Pixels = std::vector<std::uint8_t>;

Image image_of(const char *name, const std::string &bytes, const ImageLimits &limits = {}) {
    const TemporaryFolder folder;
    return read_image(save(folder / name, bytes), limits);
}

Image image_of_matrix(const char *ending, const cv::Mat &image, const std::vector<int> &how = {}) {
    return image_of((std::string("x") + ending).c_str(), encode(ending, image, how));
}

Pixels pixels_of(const cv::Mat &grey) {
    return {grey.begin<std::uint8_t>(), grey.end<std::uint8_t>()};
}

} // namespace

TEST_CASE("pictures: Lossless formats give the grey of their colors, whatever they are named") {
    const auto photo = make_photo(97, 61);
    const auto expected = pixels_of(grey_of(photo));
    for (const auto *ending : {".png", ".bmp", ".ppm", ".tiff", ".ras", ".jp2"}) {
        INFO(ending);
        const auto image =
            image_of_matrix(ending, photo, {cv::IMWRITE_JPEG2000_COMPRESSION_X1000, 1000});
        CHECK(image.width == 97);
        CHECK(image.height == 61);
        CHECK(image.pixels == expected);
    }
    CHECK(image_of("no ending", encode(".png", photo)).pixels == expected);
    CHECK(image_of("not a.jpg", encode(".png", photo)).pixels == expected);
    const auto webp = image_of_matrix(".webp", photo, {cv::IMWRITE_WEBP_QUALITY, 101});
    CHECK(webp.pixels == expected);
}

TEST_CASE("pictures: One channel stays as it is") {
    const auto grey = grey_of(make_photo(40, 30));
    for (const auto *ending : {".png", ".pgm", ".tiff", ".bmp"}) {
        INFO(ending);
        CHECK(image_of_matrix(ending, grey).pixels == pixels_of(grey));
    }
    const auto jpeg = encode(".jpg", grey);
    CHECK(image_of("x.jpg", jpeg).pixels == pixels_of(decode(jpeg, cv::IMREAD_GRAYSCALE)));
}

TEST_CASE("pictures: One bit a pixel is black and white") {
    const cv::Mat board = (cv::Mat_<std::uint8_t>(2, 3) << 0, 255, 0, 255, 255, 0);
    CHECK(image_of_matrix(".png", board, {cv::IMWRITE_PNG_BILEVEL, 1}).pixels == pixels_of(board));
    CHECK(image_of_matrix(".pbm", board).pixels == pixels_of(board));
}

TEST_CASE("pictures: 16 bits are divided by 257 and rounded") {
    const cv::Mat deep = (cv::Mat_<std::uint16_t>(1, 6) << 0, 128, 129, 32896, 65406, 65535);
    const Pixels expected = {0, 0, 1, 128, 254, 255};
    for (const auto *ending : {".png", ".tiff", ".pgm"}) {
        INFO(ending);
        CHECK(image_of_matrix(ending, deep).pixels == expected);
    }
}

TEST_CASE("pictures: A PNM's largest sample is white") {
    const Pixels expected = {255, 128, 0};
    CHECK(image_of("x", "P5 3 1 1000\n\x03\xE8\x01\xF4\0\0"s).pixels == expected);
    CHECK(image_of("x", "P5 3 1 4\n\x04\x02\0"s).pixels == expected);
    CHECK(image_of("x", "P2 3 1 4\n4 2 0\n").pixels == Pixels{255, 127, 0}); // OpenCV scales text
    CHECK(image_of("x", "P2 3 1 1000\n1000 500 0\n").pixels == expected);
}

TEST_CASE("pictures: Transparency is laid over its ground") {
    cv::Mat glass(1, 4, CV_8UC4);
    glass.at<cv::Vec4b>(0, 0) = {0, 0, 0, 0};
    glass.at<cv::Vec4b>(0, 1) = {0, 0, 0, 255};
    glass.at<cv::Vec4b>(0, 2) = {0, 0, 0, 128};
    glass.at<cv::Vec4b>(0, 3) = {100, 100, 100, 51};
    const Pixels expected = {255, 0, 127, 224};
    CHECK(image_of_matrix(".png", glass).pixels == expected);
    CHECK(image_of_matrix(".webp", glass, {cv::IMWRITE_WEBP_QUALITY, 101}).pixels[0] == 255);

    cv::Mat deep;
    glass.convertTo(deep, CV_16U, 257);
    CHECK(image_of_matrix(".png", deep).pixels == expected);
}

TEST_CASE("pictures: An 8-bit TIFF's colors come multiplied by their alpha") {
    // "unassociated": straight in the file
    const cv::Mat pixel(1, 1, CV_64FC4, cv::Scalar(200, 200, 200, 51));
    const auto tiff = make_tiff(pixel, {}, {{338, 3, {2}}});
    CHECK(image_of("x.tif", tiff).pixels == Pixels{244}); // 200 * 0.2 + 255 * 0.8
}

TEST_CASE("pictures: What a PNG carries beside its pixels does not matter") {
    const auto photo = make_photo(30, 20);
    const auto png = encode(".png", photo);
    auto laden = png;
    laden.insert(33, "\0\0\0\x03tEXtabcBAD!"s); // behind IHDR; the CRC is wrong
    auto bytes = laden;
    const auto kept = drop_ancillary_chunks(bytes);
    CHECK(std::string(kept.begin(), kept.end()) == png);
    CHECK(image_of("x.png", laden).pixels == pixels_of(grey_of(photo)));

    std::string not_png = "short";
    CHECK(drop_ancillary_chunks(not_png).size() == not_png.size());
    CHECK(not_png == "short");
}

TEST_CASE("pictures: A thumbnail is a small JPEG in color") {
    const TemporaryFolder folder;
    const auto jpeg = with_orientation(encode(".jpg", make_photo(400, 300)), 6);
    for (const auto &path : {save(folder / "a.jpg", jpeg),
                             save(folder / "a.png", encode(".png", make_photo(300, 400)))}) {
        const auto decoded = decode(thumbnail_jpeg(path, 80), cv::IMREAD_UNCHANGED);
        CHECK(decoded.size() == cv::Size(60, 80));
        CHECK(decoded.channels() == 3);
    }
}

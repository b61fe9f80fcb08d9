#include "tests/pictures/make_pictures.hpp"
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

Image read_bytes(const char *name, const std::string &bytes, const PictureLimits &limits = {}) {
    const TemporaryFolder folder;
    return read_picture(save(folder / name, bytes), limits);
}

Image read_matrix(const char *ending, const cv::Mat &picture, const std::vector<int> &how = {}) {
    return read_bytes((std::string("x") + ending).c_str(), encode(ending, picture, how));
}

Pixels pixels_of(const cv::Mat &grey) {
    return {grey.begin<std::uint8_t>(), grey.end<std::uint8_t>()};
}

} // namespace

TEST_CASE("pictures: Lossless formats give the grey of their colours, whatever they are named") {
    const auto photo = make_photo(97, 61);
    const auto expected = pixels_of(grey_of(photo));
    for (const auto *ending : {".png", ".bmp", ".ppm", ".tiff", ".ras", ".jp2"}) {
        INFO(ending);
        const auto image =
            read_matrix(ending, photo, {cv::IMWRITE_JPEG2000_COMPRESSION_X1000, 1000});
        CHECK(image.width == 97);
        CHECK(image.height == 61);
        CHECK(image.pixels == expected);
    }
    CHECK(read_bytes("no ending", encode(".png", photo)).pixels == expected);
    CHECK(read_bytes("not a.jpg", encode(".png", photo)).pixels == expected);
    const auto webp = read_matrix(".webp", photo, {cv::IMWRITE_WEBP_QUALITY, 101});
    CHECK(webp.pixels == expected);
}

TEST_CASE("pictures: One channel stays as it is") {
    const auto grey = grey_of(make_photo(40, 30));
    for (const auto *ending : {".png", ".pgm", ".tiff", ".bmp"}) {
        INFO(ending);
        CHECK(read_matrix(ending, grey).pixels == pixels_of(grey));
    }
    const auto jpeg = encode(".jpg", grey);
    CHECK(read_bytes("x.jpg", jpeg).pixels == pixels_of(decode(jpeg, cv::IMREAD_GRAYSCALE)));
}

TEST_CASE("pictures: One bit a pixel is black and white") {
    const cv::Mat board = (cv::Mat_<std::uint8_t>(2, 3) << 0, 255, 0, 255, 255, 0);
    CHECK(read_matrix(".png", board, {cv::IMWRITE_PNG_BILEVEL, 1}).pixels == pixels_of(board));
    CHECK(read_matrix(".pbm", board).pixels == pixels_of(board));
}

TEST_CASE("pictures: 16 bits are divided by 257 and rounded") {
    const cv::Mat deep = (cv::Mat_<std::uint16_t>(1, 6) << 0, 128, 129, 32896, 65406, 65535);
    const Pixels expected = {0, 0, 1, 128, 254, 255};
    for (const auto *ending : {".png", ".tiff", ".pgm"}) {
        INFO(ending);
        CHECK(read_matrix(ending, deep).pixels == expected);
    }
}

TEST_CASE("pictures: A PNM's largest sample is white") {
    const Pixels expected = {255, 128, 0};
    CHECK(read_bytes("x", "P5 3 1 1000\n\x03\xE8\x01\xF4\0\0"s).pixels == expected);
    CHECK(read_bytes("x", "P5 3 1 4\n\x04\x02\0"s).pixels == expected);
    CHECK(read_bytes("x", "P2 3 1 4\n4 2 0\n").pixels == Pixels{255, 127, 0}); // OpenCV scales text
    CHECK(read_bytes("x", "P2 3 1 1000\n1000 500 0\n").pixels == expected);
}

TEST_CASE("pictures: Transparency is laid over its ground") {
    cv::Mat glass(1, 4, CV_8UC4);
    glass.at<cv::Vec4b>(0, 0) = {0, 0, 0, 0};
    glass.at<cv::Vec4b>(0, 1) = {0, 0, 0, 255};
    glass.at<cv::Vec4b>(0, 2) = {0, 0, 0, 128};
    glass.at<cv::Vec4b>(0, 3) = {100, 100, 100, 51};
    const Pixels expected = {255, 0, 127, 224};
    CHECK(read_matrix(".png", glass).pixels == expected);
    CHECK(read_matrix(".webp", glass, {cv::IMWRITE_WEBP_QUALITY, 101}).pixels[0] == 255);

    cv::Mat deep;
    glass.convertTo(deep, CV_16U, 257);
    CHECK(read_matrix(".png", deep).pixels == expected);
}

TEST_CASE("pictures: A 8-bit TIFF's colours come multiplied by their alpha") {
    // one pixel of 200, 200, 200 at alpha 51, "unassociated": straight in the file
    const auto entry = [](int tag, int type, int value) {
        return std::string{static_cast<char>(tag), static_cast<char>(tag >> 8),
                           static_cast<char>(type)} +
               "\0\x01\0\0\0"s + static_cast<char>(value) + "\0\0\0"s;
    };
    const auto tiff = "II*\0\x14\0\0\0\xC8\xC8\xC8\x33\x08\0\x08\0\x08\0\x08\0\x0A\0"s +
                      entry(256, 3, 1) + entry(257, 3, 1) + "\x02\x01\x03\0\x04\0\0\0\x0C\0\0\0"s +
                      entry(259, 3, 1) + entry(262, 3, 2) + entry(273, 4, 8) + entry(277, 3, 4) +
                      entry(278, 3, 1) + entry(279, 4, 4) + entry(338, 3, 2) + "\0\0\0\0"s;
    CHECK(read_bytes("x.tif", tiff).pixels == Pixels{244}); // 200 * 0.2 + 255 * 0.8
}

TEST_CASE("pictures: What a PNG carries beside its pixels does not matter") {
    const auto photo = make_photo(30, 20);
    const auto png = encode(".png", photo);
    auto laden = png;
    laden.insert(33, "\0\0\0\x03tEXtabcBAD!"s); // behind IHDR; the CRC is wrong
    auto bytes = laden;
    const auto kept = drop_ancillary_chunks(bytes);
    CHECK(std::string(kept.begin(), kept.end()) == png);
    CHECK(read_bytes("x.png", laden).pixels == pixels_of(grey_of(photo)));

    std::string not_png = "short";
    CHECK(drop_ancillary_chunks(not_png).size() == not_png.size());
    CHECK(not_png == "short");
}

TEST_CASE("pictures: A thumbnail is a small JPEG in colour") {
    const TemporaryFolder folder;
    const auto jpeg = with_orientation(encode(".jpg", make_photo(400, 300)), 6);
    for (const auto &path : {save(folder / "a.jpg", jpeg),
                             save(folder / "a.png", encode(".png", make_photo(300, 400)))}) {
        const auto decoded = decode(thumbnail_jpeg(path, 80), cv::IMREAD_UNCHANGED);
        CHECK(decoded.size() == cv::Size(60, 80));
        CHECK(decoded.channels() == 3);
    }
}

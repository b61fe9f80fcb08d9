#include "tests/pictures/make_jpegs.hpp"
#include "tests/pictures/make_pictures.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

using namespace bowhist;
using namespace std::string_literals;
namespace fs = std::filesystem;

// OpenCV's own decoder, which reads JPEG by libjpeg-turbo too, is the reference at full size.

namespace {

cv::Mat make_samples(const JpegForm &form, int width, int height) {
    const cv::Mat photo = make_photo(width, height);
    if (form.samples == JCS_GRAYSCALE) return grey_of(photo);
    if (form.samples != JCS_CMYK) return photo;
    cv::Mat samples;
    cv::merge(std::vector<cv::Mat>{photo, grey_of(photo)}, samples);
    return samples;
}

void check_equal(const Image &image, const cv::Mat &expected) {
    REQUIRE(cv::Size(image.width, image.height) == expected.size());
    CHECK(std::equal(expected.begin<std::uint8_t>(), expected.end<std::uint8_t>(),
                     image.pixels.begin(), image.pixels.end()));
}

} // namespace

TEST_CASE("jpeg: Every form has the grey values that OpenCV gives it") {
    const TemporaryFolder folder;
    for (const JpegForm &form : jpeg_forms())
        for (const auto size : {cv::Size(1, 1), cv::Size(97, 61), cv::Size(64, 48)}) {
            INFO(form.name << " " << size);
            const auto jpeg = encode_jpeg_as(form, make_samples(form, size.width, size.height));
            check_equal(read_image(save(folder / "x.jpg", jpeg)),
                        decode(jpeg, cv::IMREAD_GRAYSCALE));
        }
}

TEST_CASE("jpeg: Every form is turned as OpenCV turns it") {
    const TemporaryFolder folder;
    for (const JpegForm &form : jpeg_forms())
        for (int orientation = 0; orientation <= 9; ++orientation) { // 0 and 9 mean nothing
            INFO(form.name << ", orientation " << orientation);
            const auto jpeg =
                with_orientation(encode_jpeg_as(form, make_samples(form, 75, 50)), orientation);
            check_equal(read_image(save(folder / "x.jpg", jpeg)),
                        decode(jpeg, cv::IMREAD_GRAYSCALE));
        }
}

TEST_CASE("jpeg: The orientation is found among any number of APP1 segments") {
    using namespace std::string_literals;
    const TemporaryFolder folder;
    const auto jpeg = encode(".jpg", make_photo(75, 50));
    const auto turned = read_image(save(folder / "x.jpg", with_orientation(jpeg, 6)));
    REQUIRE(turned.height == 75);
    const std::string xmp = "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>"s;
    const std::string silent = "Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0"s; // no entry
    const auto check_turned = [&](const std::string &bytes) {
        check_equal(read_image(save(folder / "x.jpg", bytes)), matrix_of(turned));
    };
    for (const std::string &first : {xmp, ""s, silent, "Exif\0\0"s + exif_block(0)}) {
        INFO(first);
        check_turned(with_app1(with_orientation(jpeg, 6), first)); // it, then Exif
        check_turned(with_app1(with_app1(with_orientation(jpeg, 6), first), first)); // twice
        check_turned(with_orientation(with_app1(jpeg, first), 6)); // Exif, then it
    }
    check_turned(with_orientation(with_orientation(jpeg, 3), 6)); // the first that says it
    // Exif within the entropy-coded data is no segment of the image's
    const auto behind = jpeg + "\xFF\xE1"s + with_orientation("\xFF\xD8", 6).substr(4);
    CHECK(read_image(save(folder / "x.jpg", behind)).height == 50);
}

TEST_CASE("jpeg: A fraction is what OpenCV makes of it, where it is the size asked for") {
    const TemporaryFolder folder;
    const std::pair<int, int> reductions[] = {{400, cv::IMREAD_REDUCED_GRAYSCALE_2},
                                              {200, cv::IMREAD_REDUCED_GRAYSCALE_4},
                                              {100, cv::IMREAD_REDUCED_GRAYSCALE_8}};
    for (const JpegForm &form : jpeg_forms()) {
        const auto jpeg = encode_jpeg_as(form, make_samples(form, 800, 560));
        for (const auto &[side, flags] : reductions) {
            INFO(form.name << " at " << side);
            check_equal(read_image(save(folder / "x.jpg", jpeg), {.max_side = side}),
                        decode(jpeg, flags));
        }
    }
}

TEST_CASE("jpeg: CMYK is taken for inverted, with and without Adobe's marker") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(64, 48);
    cv::Mat
        inverted; // as Adobe stores it: 255 is no ink; without black, these are red, green, blue
    cv::cvtColor(photo, inverted, cv::COLOR_BGR2RGBA);
    const auto jpeg = encode_jpeg_as({"CMYK", JCS_CMYK, JCS_CMYK}, inverted);
    auto without_marker = jpeg;
    const auto adobe = jpeg.find("\xFF\xEE\0\x0E"
                                 "Adobe"s);
    REQUIRE(adobe != jpeg.npos);
    without_marker.erase(adobe, 16);
    const auto expected = matrix_of(read_image(save(folder / "x.jpg", jpeg)));
    CHECK(mean_difference(expected, grey_of(photo)) < 6); // not its negative
    CHECK(mean_difference(matrix_of(read_image(save(folder / "x.jpg", without_marker))),
                          expected) == 0);
    check_equal(read_image(folder / "x.jpg"), decode(without_marker, cv::IMREAD_GRAYSCALE));
}

TEST_CASE("jpeg: EXIF in disorder turns nothing, and is never read beyond its end") {
    const TemporaryFolder folder;
    const auto jpeg = encode(".jpg", make_photo(40, 30));
    const auto whole = with_orientation(jpeg, 6);
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(whole[5])) - 2;
    for (std::size_t kept = 0; kept < length; ++kept) {
        INFO(kept);
        auto cut = jpeg;
        cut.insert(2, "\xFF\xE1\0"s + static_cast<char>(kept + 2) + whole.substr(6, kept));
        const auto image = read_image(save(folder / "x.jpg", cut));
        const bool is_turned = image.width == 30;
        CHECK(is_turned == (kept >= 6 + 8 + 2 + 12)); // "Exif", the TIFF's head, one entry
    }
}

TEST_CASE("jpeg: Real photographs have the grey values that OpenCV gives them") {
    const char *data = std::getenv("BOWHIST_TEST_DATA");
    if (data == nullptr || *data == '\0') {
        WARN("skipped: BOWHIST_TEST_DATA names no folder");
        return;
    }
    int compared = 0;
    for (const auto &entry : fs::recursive_directory_iterator(data)) {
        const bool is_made = entry.path().parent_path().filename() == "reports"; // no photograph
        if (entry.path().extension() != ".jpg" || is_made || ++compared % 20 != 1) continue;
        INFO(entry.path());
        const auto expected = cv::imread(entry.path(), cv::IMREAD_GRAYSCALE);
        check_equal(read_image(entry.path(), {.max_side = 0}), expected);
    }
    CHECK(compared > 0);
}

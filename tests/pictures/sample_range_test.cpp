#include "tests/pictures/make_pictures.hpp"
#include "tests/pictures/make_tiffs.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <limits>
#include <string>
#include <vector>

using namespace bowhist;
using namespace std::string_literals;

namespace {

struct Read {
    cv::Mat image;
    std::string note; ///< without the path
};

Read read(const std::string &bytes) {
    const TemporaryFolder folder;
    const auto path = save(folder / "x", bytes);
    ImageRemarks remarks;
    const Image image = read_image(path, {.max_side = 0}, &remarks);
    const auto name = path.native().size() + 2;
    return {matrix_of(image), remarks.note.empty() ? "" : remarks.note.substr(name)};
}

/// Grey from 0 to 255, all of them.
cv::Mat grey_photo() {
    cv::Mat grey = grey_of(make_photo(60, 40));
    cv::normalize(grey, grey, 0, 255, cv::NORM_MINMAX);
    return grey;
}

int largest_difference(const cv::Mat &a, const cv::Mat &b) {
    REQUIRE(a.size() == b.size());
    return static_cast<int>(cv::norm(a, b, cv::NORM_INF));
}

/// Samples in the file that show as the 8-bit image does, up to a step of 8 bits.
void check_twin(const std::string &tiff, const cv::Mat &twin, bool is_guess = false) {
    const Read found = read(tiff);
    CHECK(largest_difference(found.image, twin) <= 1);
    INFO(found.note);
    CHECK(found.note.empty() == !is_guess);
}

/// The PNG with a chunk behind its header; the sum of the chunk's bytes is not looked at.
std::string with_chunk(std::string png, const std::string &type, const std::string &payload) {
    return png.insert(33, "\0\0\0"s + static_cast<char>(payload.size()) + type + payload + "crc4");
}

cv::Mat deepened(const cv::Mat &grey, double white) {
    cv::Mat deep;
    grey.convertTo(deep, CV_16U, white / 255);
    return deep;
}

/// The photo with one more sample a pixel, which runs from clear to opaque.
cv::Mat with_more(const cv::Mat &photo) {
    cv::Mat more(photo.size(), CV_8U);
    for (int x = 0; x < more.cols; ++x) more.col(x).setTo(255 * x / more.cols);
    cv::Mat all;
    cv::merge(std::vector<cv::Mat>{photo, more}, all);
    return all;
}

} // namespace

TEST_CASE("range: 10, 12 and 14 bits in 16 show by MaxSampleValue and sBIT") {
    const cv::Mat grey = grey_photo();
    for (const int bits : {10, 12, 14}) {
        INFO(bits << " bits");
        const double white = (1 << bits) - 1;
        const auto samples = tiff_samples(grey, white / 255);
        check_twin(make_tiff(samples, {.bits = 16}, {{281, 3, {white}}}), grey);
        check_twin(make_tiff(samples, {.bits = 16}, {{281, 3, {white}}}, false, true), grey);
        // the largest sample that is there, not the largest that might be
        check_twin(make_tiff(samples, {.bits = 16}, {{281, 3, {white - 7}}}), grey);
        check_twin(make_tiff(samples, {.bits = 16}), grey, true);
        const auto sbit = std::string(1, static_cast<char>(bits));
        const auto png = encode(".png", deepened(grey, white));
        check_twin(with_chunk(png, "sBIT", sbit), grey);
        check_twin(png, grey, true);
        // as the standard demands: the bits lie to the left
        check_twin(with_chunk(encode(".png", deepened(grey, 65535)), "sBIT", sbit), grey);
    }
    check_twin(make_tiff(tiff_samples(grey, 257), {.bits = 16}), grey);
    // some writers say 255 at every depth
    check_twin(make_tiff(tiff_samples(grey, 257), {.bits = 16}, {{281, 3, {255}}}), grey);
}

TEST_CASE("range: Colors and alpha of 12 bits in 16") {
    const cv::Mat photo = make_photo(60, 40);
    const cv::Mat grey = grey_of(photo);
    const auto samples = tiff_samples(photo, 4095.0 / 255);
    for (const bool has_planes : {false, true})
        for (const int tile : {0, 16}) {
            const TiffPixels how{.bits = 16, .tile = tile, .has_planes = has_planes};
            check_twin(make_tiff(samples, how, {{281, 3, {4095, 4095, 4095}}}), grey);
            check_twin(make_tiff(samples, how), grey, true);
        }
    cv::Mat glass;
    cv::cvtColor(photo, glass, cv::COLOR_BGR2BGRA);
    for (const double opaque : {4095.0, 65535.0}) {
        auto with_alpha = tiff_samples(glass, 4095.0 / 255);
        for (auto pixel = with_alpha.begin<cv::Vec4d>(); pixel != with_alpha.end<cv::Vec4d>();
             ++pixel)
            (*pixel)[3] = opaque;
        check_twin(make_tiff(with_alpha, {.bits = 16}, {{281, 3, {4095}}, {338, 3, {2}}}), grey);
    }
}

TEST_CASE("range: Packed samples of every number of bits") {
    const cv::Mat grey = grey_photo();
    for (const int bits : {3, 6, 10, 12, 14, 24}) {
        INFO(bits << " bits");
        const double white = (1 << bits) - 1;
        const Read found =
            read(make_tiff(tiff_samples(grey, white / 255), {.bits = bits, .strip_rows = 7}));
        CHECK(largest_difference(found.image, grey) <= 255 / white + 1);
        CHECK(found.note.empty());
    }
}

TEST_CASE("range: Floats from 0 to 1 stay; beyond, the file's range or the one found") {
    const cv::Mat grey = grey_photo();
    for (const int bits : {16, 24, 32, 64})
        for (const bool is_little : {true, false}) {
            INFO(bits << " bits, little " << is_little);
            const TiffPixels how{.bits = bits, .format = 3};
            check_twin(make_tiff(tiff_samples(grey, 1.0 / 255), how, {}, is_little), grey);
            const auto wide = tiff_samples(grey);
            const std::vector<TiffTag> said = {{340, 11, {0}}, {341, 11, {255}}};
            check_twin(make_tiff(wide, how, said, is_little), grey);
            check_twin(make_tiff(wide, how, {{340, 12, {0}}, {341, 12, {255}}}, is_little), grey);
            check_twin(make_tiff(wide, how, {{340, 3, {0}}, {341, 3, {255}}}, is_little), grey);
            check_twin(make_tiff(wide, how, {}, is_little), grey, true);
            check_twin(make_tiff(tiff_samples(grey, 100, -300), how, {}, is_little), grey, true);
        }
}

TEST_CASE("range: What is no number is black, the infinite is clamped") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const cv::Mat wild = (cv::Mat_<double>(1, 6) << nan, 0, 0.5, 1, infinity, -infinity);
    const cv::Mat expected = (cv::Mat_<std::uint8_t>(1, 6) << 0, 0, 128, 255, 255, 0);
    check_twin(make_tiff(wild, {.bits = 32, .format = 3}), expected);
    check_twin(make_tiff(wild * 4000, {.bits = 32, .format = 3}), expected, true);
    const cv::Mat nothing = cv::Mat::ones(1, 2, CV_64F) * nan;
    check_twin(make_tiff(nothing, {.bits = 32, .format = 3}), cv::Mat::zeros(1, 2, CV_8U));
    const cv::Mat flat = cv::Mat::ones(1, 2, CV_64F) * 7;
    check_twin(make_tiff(flat, {.bits = 32, .format = 3}), cv::Mat::zeros(1, 2, CV_8U), true);
}

TEST_CASE("range: Signed samples show from their smallest") {
    const cv::Mat grey = grey_photo();
    check_twin(make_tiff(tiff_samples(grey, 1, -128), {.bits = 8, .format = 2}), grey, true);
    check_twin(make_tiff(tiff_samples(grey, 257, -32768), {.bits = 16, .format = 2}), grey, true);
    check_twin(make_tiff(tiff_samples(grey, 16777216, -2147483648.0), {.bits = 32, .format = 2}),
               grey, true);
    const std::vector<TiffTag> said = {{340, 8, {-1000}}, {341, 8, {3000}}};
    check_twin(make_tiff(tiff_samples(grey, 4000.0 / 255, -1000), {.bits = 16, .format = 2}, said),
               grey);
    // a computed tomogram: 12 bits, of which a quarter is below 0
    const Read found =
        read(make_tiff(tiff_samples(grey, 4000.0 / 255, -1000), {.bits = 16, .format = 2}));
    CHECK(cv::norm(found.image, cv::NORM_INF) > 128);
    CHECK_THAT(found.note, Catch::Contains("from -1000 to 3000"));
}

TEST_CASE("range: Integers of 32 and 64 bits show by the bits that they need") {
    const cv::Mat grey = grey_photo();
    check_twin(make_tiff(tiff_samples(grey, 4294967295.0 / 255), {.bits = 32}), grey);
    check_twin(make_tiff(tiff_samples(grey, 257), {.bits = 32}), grey, true);
    check_twin(make_tiff(tiff_samples(grey), {.bits = 32}), grey, true);
    check_twin(make_tiff(tiff_samples(grey, 257), {.bits = 64}), grey, true);
}

TEST_CASE("range: White is zero at every depth") {
    const cv::Mat grey = grey_photo();
    for (const bool is_little : {true, false})
        for (const int tile : {0, 16}) {
            INFO("little " << is_little << ", tile " << tile);
            const auto check = [&](int bits, int format, double white, bool is_guess = false) {
                INFO(bits << " bits of format " << format);
                const TiffPixels how{bits, format, 0, tile, tile > 0 ? 0 : 7};
                const cv::Mat negative = tiff_samples(grey, -white / 255, white);
                const cv::Mat positive = tiff_samples(grey, white / 255);
                TiffPixels other = how;
                other.photometric = 1;
                const Read found = read(make_tiff(negative, how, {}, is_little));
                const Read twin = read(make_tiff(positive, other, {}, is_little));
                // 8 bits round the negative's samples as they round the positive's
                CHECK(largest_difference(found.image, twin.image) <= 255 / white + 1);
                CHECK(found.note.empty() == !is_guess);
            };
            for (const int bits : {1, 2, 4, 8, 10, 12, 16}) check(bits, 1, (1 << bits) - 1);
            check(32, 1, 4294967295.0);
            check(32, 3, 1);
            check(64, 3, 1);
            check(32, 3, 255, true);
            check(16, 1, 4095, true);
        }
    const auto negative = tiff_samples(grey, -4095.0 / 255, 4095);
    check_twin(make_tiff(negative, {.bits = 16, .photometric = 0}, {{281, 3, {4095}}}), grey);
}

TEST_CASE("tiff colors: A palette gives all three of its colors") {
    // 8 shades of blue, green and red each, in the bits of a sample
    constexpr int colors = 256;
    std::vector<double> map(3 * colors);
    for (int i = 0; i < colors; ++i) {
        map[i] = 257 * 36 * (i & 7);
        map[colors + i] = 257 * 36 * (i >> 3 & 7);
        map[2 * colors + i] = 257 * 85 * (i >> 6);
    }
    const cv::Mat numbers = grey_of(make_photo(60, 40));
    cv::Mat photo(numbers.size(), CV_8UC3);
    for (int y = 0; y < photo.rows; ++y)
        for (int x = 0; x < photo.cols; ++x) {
            const int i = numbers.at<std::uint8_t>(y, x);
            photo.at<cv::Vec3b>(y, x) = cv::Vec3b(static_cast<std::uint8_t>(85 * (i >> 6)),
                                                  static_cast<std::uint8_t>(36 * (i >> 3 & 7)),
                                                  static_cast<std::uint8_t>(36 * (i & 7)));
        }
    check_twin(make_tiff(tiff_samples(numbers), {.photometric = 3}, {{320, 3, map}}),
               grey_of(photo));
}

TEST_CASE("tiff colors: An extra sample of no stated kind, as infrared has, is no alpha") {
    const cv::Mat photo = make_photo(60, 40);
    const std::vector<TiffTag> unspecified = {{338, 3, {0}}};
    for (const int bits : {8, 16})
        for (const bool has_planes : {false, true}) {
            INFO(bits << " bits, planes: " << has_planes);
            const auto samples = tiff_samples(with_more(photo), bits == 8 ? 1 : 257);
            check_twin(make_tiff(samples, {.bits = bits, .has_planes = has_planes}, unspecified),
                       grey_of(photo));
        }
}

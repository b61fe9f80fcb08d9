#include "tests/pictures/make_pictures.hpp"

#include <bowhist/pictures/chroma_beyond_tone.hpp>
#include <bowhist/pictures/jpeg/encode_jpeg.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <string>

using namespace bowhist;

namespace {

Raster raster_of(const cv::Mat &colors) {
    Raster raster{colors.cols, colors.rows, Color::bgr, {}};
    raster.samples.assign(colors.data, colors.data + colors.total() * 3);
    return raster;
}

/// The color of a thumbnail as the library makes it.
std::int64_t color_of(const cv::Mat &colors) {
    const auto color = chroma_beyond_tone(encode_jpeg(raster_of(colors)));
    REQUIRE(color);
    return *color;
}

/// The photo in tones: a color for each level of grey.
cv::Mat toned(const cv::Mat &photo, const std::function<cv::Vec3b(int)> &tone) {
    cv::Mat result;
    cv::cvtColor(grey_of(photo), result, cv::COLOR_GRAY2BGR);
    result.forEach<cv::Vec3b>([&](cv::Vec3b &pixel, const int *) { pixel = tone(pixel[0]); });
    return result;
}

cv::Vec3b sepia(int grey) {
    return {cv::saturate_cast<std::uint8_t>(grey * 0.75),
            cv::saturate_cast<std::uint8_t>(grey * 0.95 + 4),
            cv::saturate_cast<std::uint8_t>(grey * 1.07 + 10)};
}

cv::Vec3b two_inks(int grey) {
    return {static_cast<std::uint8_t>(130 - grey / 4), static_cast<std::uint8_t>(20 + grey * 4 / 5),
            static_cast<std::uint8_t>(10 + grey * 9 / 10)};
}

cv::Mat recompressed(const cv::Mat &image, int quality) {
    return decode(encode(".jpg", image, {cv::IMWRITE_JPEG_QUALITY, quality}), cv::IMREAD_COLOR);
}

const cv::Mat photo = make_photo(256, 192);

} // namespace

TEST_CASE("chroma beyond tone: A photo has far more than its toned versions") {
    const std::int64_t color = color_of(photo);
    CHECK(color > 10'000);
    CHECK(color_of(toned(photo, [](int grey) { return cv::Vec3b::all(grey); })) == 0);
    for (const auto &tone : {sepia, two_inks})
        for (const int quality : {100, 60, 20}) {
            INFO(quality);
            CHECK(color_of(recompressed(toned(photo, tone), quality)) < color / 5);
        }
    CHECK(color_of(toned(photo, sepia)) < 2000);
}

TEST_CASE("chroma beyond tone: Mirrored, inverted and warmer versions keep it nearly") {
    const auto color = static_cast<double>(color_of(photo));
    cv::Mat mirrored;
    cv::flip(photo, mirrored, 1);
    CHECK(static_cast<double>(color_of(mirrored)) == Approx(color).epsilon(0.05));
    CHECK(static_cast<double>(color_of(~photo)) == Approx(color).epsilon(0.15));
    cv::Mat warmer = photo.clone();
    warmer.forEach<cv::Vec3b>([](cv::Vec3b &pixel, const int *) {
        pixel[2] = cv::saturate_cast<std::uint8_t>(pixel[2] * 1.1);
        pixel[0] = cv::saturate_cast<std::uint8_t>(pixel[0] * 0.9);
    });
    CHECK(static_cast<double>(color_of(warmer)) == Approx(color).epsilon(0.25));
}

TEST_CASE("chroma beyond tone: It is in levels of chroma") {
    // two halves of one luma, 40 levels of Cb to either side
    Raster halves{128, 128, Color::bgr, {}};
    for (int y = 0; y < 128; ++y)
        for (int x = 0; x < 128; ++x)
            for (const int sample : {128, x < 64 ? 88 : 168, 128})
                halves.samples.push_back(static_cast<std::uint8_t>(sample));
    const auto color = chroma_beyond_tone(encode_luma_and_chroma(halves));
    REQUIRE(color);
    CHECK(static_cast<double>(*color) == Approx(40'000).epsilon(0.02));
}

TEST_CASE("chroma beyond tone: A small thing in color shows in a grey picture") {
    cv::Mat picture = toned(photo, [](int grey) { return cv::Vec3b::all(grey); });
    picture(cv::Rect(96, 80, 32, 32)) = cv::Scalar(30, 30, 220);
    CHECK(color_of(picture) > 5000);
}

TEST_CASE("chroma beyond tone: Images of too few blocks, damage and other files have none") {
    const std::string jpeg = encode_jpeg(raster_of(photo));
    CHECK_FALSE(chroma_beyond_tone(encode_jpeg(raster_of(make_photo(31, 24)))));
    CHECK(chroma_beyond_tone(encode_jpeg(raster_of(make_photo(32, 32)))));
    CHECK_FALSE(chroma_beyond_tone(jpeg.substr(0, jpeg.size() / 2)));
    CHECK_FALSE(chroma_beyond_tone(""));
    CHECK_FALSE(chroma_beyond_tone(encode(".png", photo)));
    CHECK_FALSE(chroma_beyond_tone(encode(".jpg", grey_of(photo)))); // no chroma
    CHECK_FALSE(chroma_beyond_tone(with_frame_size(jpeg, 60'000, 60'000)));
}

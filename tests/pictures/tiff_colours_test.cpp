#include "tests/pictures/make_pictures.hpp"
#include "tests/pictures/make_tiffs.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bowhist;

namespace {

void check_twin(const std::string &tiff, const cv::Mat &twin) {
    const TemporaryFolder folder;
    const Image image = read_picture(save(folder / "x.tif", tiff), {.max_side = 0});
    const cv::Mat found = matrix_of(image);
    REQUIRE(found.size() == twin.size());
    CHECK(cv::norm(found, twin, cv::NORM_INF) <= 1);
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

TEST_CASE("tiff colours: A palette gives all three of its colours") {
    // 8 shades of blue, green and red each, in the bits of a sample
    constexpr int colours = 256;
    std::vector<double> map(3 * colours);
    for (int i = 0; i < colours; ++i) {
        map[i] = 257 * 36 * (i & 7);
        map[colours + i] = 257 * 36 * (i >> 3 & 7);
        map[2 * colours + i] = 257 * 85 * (i >> 6);
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

TEST_CASE("tiff colours: An extra sample of no stated kind, as infrared has, is no alpha") {
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

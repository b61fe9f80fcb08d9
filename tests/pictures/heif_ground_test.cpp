#include "tests/pictures/make_heifs.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;

TEST_CASE("heif: White on a clear ground lies on black, black on white") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs())
        for (const int grey : {255, 0}) {
            INFO("codec " << codec << ", " << grey);
            cv::Mat drawing(64, 96, CV_8UC4, cv::Scalar(grey, grey, grey, 0));
            cv::rectangle(drawing, {16, 16, 32, 32}, cv::Scalar(grey, grey, grey, 255), cv::FILLED);
            const auto path = save(folder / "x.heic", encode_heif(drawing, codec));
            const cv::Mat found = matrix_of(read_picture(path));
            CHECK(std::abs(found.at<std::uint8_t>(32, 32) - grey) < 8);
            CHECK(std::abs(found.at<std::uint8_t>(32, 80) - (255 - grey)) < 8);
        }
}

#include "tests/pictures/make_heifs.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;

TEST_CASE("heif: Exif repeats what the boxes say, and does not turn a picture again") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(96, 64);
    cv::Mat clockwise;
    cv::rotate(photo, clockwise, cv::ROTATE_90_CLOCKWISE);
    const std::pair<heif_orientation, cv::Mat> cases[] = {
        {heif_orientation_normal, photo}, {heif_orientation_rotate_90_cw, clockwise}};
    for (const auto codec : heif_codecs())
        for (const auto &[orientation, expected] : cases) {
            INFO("codec " << codec << ", orientation " << orientation);
            const auto bytes =
                encode_heif(photo, codec, {.orientation = orientation, .exif = exif_block(6)});
            const cv::Mat found =
                matrix_of(read_picture(save(folder / "x.heic", bytes), {.max_side = 0}));
            REQUIRE(found.size() == expected.size());
            CHECK(mean_difference(found, grey_of(expected)) < 2);
        }
}

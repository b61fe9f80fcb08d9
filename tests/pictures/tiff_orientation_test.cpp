#include "tests/pictures/make_pictures.hpp"
#include "tests/pictures/make_tiffs.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bowhist;

namespace {

cv::Mat read(const std::string &bytes) {
    const TemporaryFolder folder;
    return matrix_of(read_picture(save(folder / "x", bytes), {.max_side = 0}));
}

bool same(const cv::Mat &a, const cv::Mat &b) {
    return a.size() == b.size() && cv::norm(a, b, cv::NORM_INF) == 0;
}

} // namespace

TEST_CASE("orientation: A TIFF stands as its tag asks, whatever its samples") {
    const cv::Mat photo = make_photo(40, 24);
    const cv::Mat grey = grey_of(photo);
    struct Kind {
        const cv::Mat &picture;
        double scale;
        TiffPixels how;
    };
    const Kind kinds[] = {{photo, 1, {}},
                          {photo, 1, {.tile = 16}},
                          {photo, 1, {.strip_rows = 5, .has_planes = true}},
                          {photo, 257, {.bits = 16}},
                          {photo, 257, {.bits = 16, .tile = 16, .has_planes = true}},
                          {photo, 1 / 255.0, {.bits = 32, .format = 3, .strip_rows = 7}},
                          {grey, 1, {.strip_rows = 7}},
                          {grey, 257, {.bits = 16, .tile = 16}},
                          {grey, 1, {.photometric = 0, .tile = 16}},
                          {grey, 1 / 16.0, {.bits = 4, .strip_rows = 7}}};
    for (const Kind &kind : kinds)
        for (const bool is_little : {true, false})
            for (const bool is_big : {true, false}) {
                const auto samples = tiff_samples(kind.picture, kind.scale);
                const auto of = [&](int orientation) {
                    return read(make_tiff(samples, kind.how, {{274, 3, {double(orientation)}}},
                                          is_little, is_big));
                };
                const cv::Mat stored = of(1);
                REQUIRE(stored.size() == photo.size());
                for (int orientation = 2; orientation <= 8; ++orientation) {
                    INFO(kind.how.bits << " bits, " << kind.how.tile << ", " << orientation);
                    CHECK(same(of(orientation), turned(stored, orientation)));
                }
            }
}

TEST_CASE("orientation: A palette's TIFF stands as its tag asks") {
    cv::Mat indices(6, 9, CV_8U);
    for (int i = 0; i < 54; ++i) indices.data[i] = static_cast<std::uint8_t>(i);
    std::vector<double> colours(768);
    for (int i = 0; i < 768; ++i) colours[i] = i % 256 * 257;
    for (int orientation = 1; orientation <= 8; ++orientation)
        CHECK(same(read(make_tiff(tiff_samples(indices), {.photometric = 3},
                                  {{274, 3, {double(orientation)}}, {320, 3, colours}})),
                   turned(indices, orientation)));
}

#include "tests/pictures/make_jpegs.hpp"
#include "tests/pictures/make_pictures.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/image_views.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bowhist;
namespace fs = std::filesystem;

namespace {

ImageViews views_of(const fs::path &path, const ViewRequest &request,
                    const ImageLimits &limits = {}) {
    ImageFile file = read_image_file(path, limits);
    return decode_views(file, path, limits, request);
}

/// Each grey view is what read_image() makes of the file on its own.
void check_views(const fs::path &path, const ViewRequest &request) {
    const ImageViews views = views_of(path, request);
    REQUIRE(views.grey.size() == request.greys.size());
    for (std::size_t i = 0; i < views.grey.size(); ++i) {
        const Image alone = read_image(
            path, {.max_side = request.greys[i].max_side, .enlarge = request.greys[i].enlarge});
        INFO(path << " at " << request.greys[i].max_side);
        CHECK(views.grey[i].width == alone.width);
        CHECK(views.grey[i].height == alone.height);
        CHECK((views.grey[i].pixels == alone.pixels));
    }
}

cv::Mat samples_of(const JpegForm &form, cv::Size size) {
    const cv::Mat photo = make_photo(size.width, size.height);
    if (form.samples == JCS_GRAYSCALE) return grey_of(photo);
    if (form.samples != JCS_CMYK) return photo;
    cv::Mat samples;
    cv::merge(std::vector<cv::Mat>{photo, grey_of(photo)}, samples);
    return samples;
}

} // namespace

TEST_CASE("image views: Those of a JPEG are what each decoding alone makes") {
    const TemporaryFolder folder;
    for (const JpegForm &form : jpeg_forms())
        for (const auto size : {cv::Size(700, 460), cv::Size(230, 411), cv::Size(97, 61)})
            for (const int orientation : {1, 6}) {
                INFO(form.name << " " << size << " " << orientation);
                const auto jpeg =
                    with_orientation(encode_jpeg_as(form, samples_of(form, size)), orientation);
                const auto path = save(folder / "x.jpg", jpeg);
                check_views(path, {.greys = {{160}, {90}, {0}}, .thumbnail_side = 64});
                check_views(path, {.greys = {{200}, {100}}});
                check_views(path, {.greys = {{512, true}, {100}}});
            }
}

TEST_CASE("image views: Those of other kinds are, too, and the size is that of the original") {
    const TemporaryFolder folder;
    const auto png = save(folder / "x.png", encode(".png", make_photo(300, 200)));
    check_views(png, {.greys = {{128}, {96}, {400, true}}, .thumbnail_side = 64});
    cv::Mat deep;
    make_photo(301, 203).convertTo(deep, CV_16U, 257);
    cv::Mat see_through;
    cv::cvtColor(make_photo(203, 301), see_through, cv::COLOR_BGR2BGRA);
    see_through.colRange(20, 90).setTo(cv::Scalar(10, 20, 30, 100));
    for (const auto &[ending, pixels] : {std::pair<std::string, cv::Mat>{".png", deep},
                                         {".png", see_through},
                                         {".tiff", make_photo(301, 203)},
                                         {".webp", make_photo(1200, 90)}})
        check_views(save(folder / ("y" + ending), encode(ending.c_str(), pixels)),
                    {.greys = {{128}, {96}, {0}, {400, true}, {96}}, .thumbnail_side = 64});
    const ImageViews views = views_of(png, {.greys = {{128}}, .thumbnail_side = 64});
    CHECK(views.width == 300);
    CHECK(views.height == 200);
    const auto turned =
        save(folder / "x.jpg", with_orientation(encode(".jpg", make_photo(300, 200)), 8));
    const ImageViews upright = views_of(turned, {.greys = {{128}}, .thumbnail_side = 64});
    CHECK(upright.width == 200);
    CHECK(upright.height == 300);
    CHECK(decode(upright.thumbnail, cv::IMREAD_COLOR).size() == cv::Size(43, 64));
}

TEST_CASE("image views: A thumbnail has the image's colors") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(400, 300);
    cv::Mat expected;
    cv::resize(photo, expected, {64, 48}, 0, 0, cv::INTER_AREA);
    for (const JpegForm &form : jpeg_forms()) {
        if (form.samples != JCS_EXT_BGR) continue;
        INFO(form.name);
        const auto path = save(folder / "x.jpg", encode_jpeg_as(form, photo));
        const ImageViews views = views_of(path, {.greys = {{128}}, .thumbnail_side = 64});
        const cv::Mat thumbnail = decode(views.thumbnail, cv::IMREAD_COLOR);
        REQUIRE(thumbnail.size() == expected.size());
        CHECK(mean_difference(thumbnail, expected) < 8);
    }
}

TEST_CASE("image views: Damage is refused, or kept where that is asked for") {
    const TemporaryFolder folder;
    std::string jpeg = encode(".jpg", make_photo(300, 200));
    const auto path = save(folder / "x.jpg", jpeg.substr(0, jpeg.size() / 2));
    CHECK_THROWS_AS(views_of(path, {.greys = {{128}, {64}}}), Error);
    const ImageViews kept = views_of(path, {.greys = {{128}, {64}}}, {.keep_damaged = true});
    CHECK_FALSE(kept.damage.empty());
    const Image alone = read_image(path, {.max_side = 128, .keep_damaged = true});
    CHECK((kept.grey.front().pixels == alone.pixels));
}

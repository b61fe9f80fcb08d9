#include "tests/pictures/make_pictures.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <openjpeg.h>

#include <cstring>
#include <string>
#include <vector>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

struct Jp2Form {
    OPJ_CODEC_FORMAT container = OPJ_CODEC_JP2;
    OPJ_COLOR_SPACE colors = OPJ_CLRSPC_SYCC;
    unsigned across = 2; ///< pixels that a sample of chroma covers
    unsigned down = 2;
    unsigned bits = 8;
    unsigned luma_step = 1; ///< pixels that a sample of luma covers, both ways
};

struct Sink {
    std::string bytes;
    std::size_t at = 0;
};

opj_stream_t *stream_into(Sink &sink) {
    auto *stream = opj_stream_default_create(OPJ_FALSE);
    opj_stream_set_user_data(stream, &sink, nullptr);
    opj_stream_set_write_function(stream, [](void *data, OPJ_SIZE_T count, void *user) {
        auto &to = *static_cast<Sink *>(user);
        to.bytes.resize(std::max(to.bytes.size(), to.at + count));
        std::memcpy(to.bytes.data() + to.at, data, count);
        to.at += count;
        return count;
    });
    opj_stream_set_seek_function(stream, [](OPJ_OFF_T to, void *user) {
        static_cast<Sink *>(user)->at = static_cast<std::size_t>(to);
        return OPJ_TRUE;
    });
    opj_stream_set_skip_function(stream, [](OPJ_OFF_T count, void *user) {
        static_cast<Sink *>(user)->at += static_cast<std::size_t>(count);
        return count;
    });
    return stream;
}

/// Without loss; a plane is as large as its form says.
std::string encode_jp2(const std::vector<cv::Mat> &planes, cv::Size size, const Jp2Form &form) {
    std::vector<opj_image_cmptparm_t> components(planes.size());
    for (std::size_t i = 0; i < planes.size(); ++i) {
        auto &component = components[i];
        component.dx = i == 0 ? form.luma_step : form.across;
        component.dy = i == 0 ? form.luma_step : form.down;
        component.w = static_cast<unsigned>(planes[i].cols);
        component.h = static_cast<unsigned>(planes[i].rows);
        component.prec = form.bits;
    }
    auto *image =
        opj_image_create(static_cast<unsigned>(planes.size()), components.data(), form.colors);
    image->x1 = static_cast<unsigned>(size.width);
    image->y1 = static_cast<unsigned>(size.height);
    for (std::size_t i = 0; i < planes.size(); ++i)
        for (int y = 0; y < planes[i].rows; ++y)
            for (int x = 0; x < planes[i].cols; ++x)
                image->comps[i].data[y * planes[i].cols + x] =
                    planes[i].at<std::uint8_t>(y, x) * ((1 << form.bits) - 1) / 255;
    opj_cparameters_t parameters;
    opj_set_default_encoder_parameters(&parameters);
    parameters.tcp_numlayers = 1;
    parameters.cp_disto_alloc = 1;
    parameters.numresolution = 3;
    auto *codec = opj_create_compress(form.container);
    Sink sink;
    auto *stream = stream_into(sink);
    REQUIRE(opj_setup_encoder(codec, &parameters, image));
    REQUIRE(opj_start_compress(codec, image, stream));
    REQUIRE(opj_encode(codec, stream));
    REQUIRE(opj_end_compress(codec, stream));
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
    opj_image_destroy(image);
    return sink.bytes;
}

cv::Mat shrunk_by(const cv::Mat &plane, unsigned across, unsigned down) {
    const auto up = [](int length, unsigned by) {
        return (length + static_cast<int>(by) - 1) / static_cast<int>(by);
    };
    cv::Mat result;
    cv::resize(plane, result, {up(plane.cols, across), up(plane.rows, down)}, 0, 0, cv::INTER_AREA);
    return result;
}

/// Y, Cb and Cr.
std::vector<cv::Mat> planes_of(const cv::Mat &photo, const Jp2Form &form) {
    cv::Mat mixed;
    cv::cvtColor(photo, mixed, cv::COLOR_BGR2YCrCb);
    std::vector<cv::Mat> planes;
    cv::split(mixed, planes);
    return {shrunk_by(planes[0], form.luma_step, form.luma_step),
            shrunk_by(planes[2], form.across, form.down),
            shrunk_by(planes[1], form.across, form.down)};
}

const Jp2Form forms[] = {{},
                         {.container = OPJ_CODEC_J2K, .colors = OPJ_CLRSPC_UNSPECIFIED},
                         {.down = 1},
                         {.across = 4, .down = 1},
                         {.across = 1},
                         {.bits = 12},
                         {.container = OPJ_CODEC_J2K, .down = 1, .bits = 16}};

} // namespace

TEST_CASE("jp2: Grey is the luma where color has fewer samples, and color is as it was") {
    const TemporaryFolder folder;
    for (const auto size : {cv::Size(120, 90), {121, 91}}) {
        const cv::Mat photo = make_photo(size.width, size.height);
        const auto png = save(folder / "x.png", encode(".png", photo));
        const auto shown = decode(thumbnail_jpeg(png, 100), cv::IMREAD_COLOR);
        for (const Jp2Form &form : forms) {
            INFO(size << ", form " << &form - forms);
            const auto planes = planes_of(photo, form);
            const auto path = save(folder / "x.jp2", encode_jp2(planes, size, form));
            CHECK(refusal(path).empty());
            CHECK(cv::norm(matrix_of(read_image(path)), planes[0], cv::NORM_INF) <= 1);
            const auto thumbnail = decode(thumbnail_jpeg(path, 100), cv::IMREAD_COLOR);
            CHECK(mean_difference(thumbnail, shown) < 8);
        }
    }
}

TEST_CASE("jp2: All components may have fewer samples than the picture has pixels") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(120, 90);
    const Jp2Form form{.across = 2, .down = 2, .luma_step = 2};
    const auto planes = planes_of(photo, form);
    const auto path = save(folder / "x.jp2", encode_jp2(planes, photo.size(), form));
    cv::Mat expected;
    cv::resize(planes[0], expected, photo.size(), 0, 0, cv::INTER_NEAREST);
    CHECK(mean_difference(matrix_of(read_image(path)), expected) == 0);
}

TEST_CASE("jp2: A damaged or large one with fewer samples of color costs a line") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(120, 90);
    const auto whole = encode_jp2(planes_of(photo, {}), photo.size(), {});
    REQUIRE(refusal(save(folder / "x.jp2", whole)).empty());
    CHECK_THAT(refusal(folder / "x.jp2", {.max_pixels = 10799}), Catch::Contains("120x90 pixels"));
    for (std::size_t part = 1; part < 16; ++part) {
        const auto size = whole.size() * part / 16;
        INFO(size << " of " << whole.size());
        CHECK_FALSE(refusal(save(folder / "cut.jp2", whole.substr(0, size))).empty());
    }
}

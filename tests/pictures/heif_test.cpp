#include "tests/pictures/make_heifs.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <string>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

cv::Mat read(const std::filesystem::path &path, const ImageLimits &limits = {.max_side = 0}) {
    return matrix_of(read_image(path, limits));
}

cv::Mat thumbnail(const std::filesystem::path &path) {
    return decode(thumbnail_jpeg(path, 150), cv::IMREAD_COLOR);
}

constexpr double lossy = 2.0; ///< grey levels of mean difference at quality 95, edges included

} // namespace

TEST_CASE("heif: Grey and colors are those that were encoded") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(150, 90);
    const auto png = save(folder / "x.png", encode(".png", photo));
    for (const auto codec : heif_codecs())
        for (const bool is_deep : {false, true}) {
            if (is_deep && codec == heif_compression_AV1) continue; // libheif 1.15 cannot write it
            INFO("codec " << codec << ", 10 bits " << is_deep);
            const auto path = save(folder / "x.heic", encode_heif(photo, codec, {.deep = is_deep}));
            CHECK(mean_difference(read(path), grey_of(photo)) < lossy);
            CHECK(mean_difference(thumbnail(path), thumbnail(png)) < 2 * lossy); // chroma is halved
        }
}

TEST_CASE("heif: Transparency is laid over its ground") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(120, 80);
    cv::Mat with_alpha;
    cv::cvtColor(photo, with_alpha, cv::COLOR_BGR2BGRA);
    cv::Mat expected = photo.clone();
    for (int y = 0; y < photo.rows; ++y)
        for (int x = 0; x < photo.cols; ++x) {
            const int alpha = 255 * x / photo.cols;
            with_alpha.at<cv::Vec4b>(y, x)[3] = static_cast<std::uint8_t>(alpha);
            for (int c = 0; c < 3; ++c) {
                auto &sample = expected.at<cv::Vec3b>(y, x)[c];
                sample = static_cast<std::uint8_t>((sample * alpha + 255 * (255 - alpha)) / 255);
            }
        }
    for (const auto codec : heif_codecs())
        for (const bool is_deep : {false, true}) {
            if (is_deep && codec == heif_compression_AV1) continue; // libheif 1.15 cannot write it
            INFO("codec " << codec << ", 10 bits " << is_deep);
            const auto path =
                save(folder / "x.avif", encode_heif(with_alpha, codec, {.deep = is_deep}));
            CHECK(mean_difference(read(path), grey_of(expected)) < lossy);
        }
}

TEST_CASE("heif: White on a clear ground lies on black, black on white") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs())
        for (const int grey : {255, 0}) {
            INFO("codec " << codec << ", " << grey);
            cv::Mat drawing(64, 96, CV_8UC4, cv::Scalar(grey, grey, grey, 0));
            cv::rectangle(drawing, {16, 16, 32, 32}, cv::Scalar(grey, grey, grey, 255), cv::FILLED);
            const auto path = save(folder / "x.heic", encode_heif(drawing, codec));
            const cv::Mat found = read(path);
            CHECK(std::abs(found.at<std::uint8_t>(32, 32) - grey) < 8);
            CHECK(std::abs(found.at<std::uint8_t>(32, 80) - (255 - grey)) < 8);
        }
}

TEST_CASE("heif: A picture stands upright by its boxes, whatever its Exif asks") {
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(96, 64);
    cv::Mat clockwise;
    cv::Mat anticlockwise;
    cv::Mat half;
    cv::rotate(photo, clockwise, cv::ROTATE_90_CLOCKWISE);
    cv::rotate(photo, anticlockwise, cv::ROTATE_90_COUNTERCLOCKWISE);
    cv::rotate(photo, half, cv::ROTATE_180);
    const auto flipped = [](const cv::Mat &image, int axis) {
        cv::Mat result;
        cv::flip(image, result, axis);
        return result;
    };
    const std::pair<heif_orientation, cv::Mat> cases[] = {
        {heif_orientation_normal, photo},
        {heif_orientation_flip_horizontally, flipped(photo, 1)},
        {heif_orientation_rotate_180, half},
        {heif_orientation_flip_vertically, flipped(photo, 0)},
        {heif_orientation_rotate_90_cw_then_flip_horizontally, flipped(clockwise, 1)},
        {heif_orientation_rotate_90_cw, clockwise},
        {heif_orientation_rotate_90_cw_then_flip_vertically, flipped(clockwise, 0)},
        {heif_orientation_rotate_270_cw, anticlockwise}};
    for (const auto codec : heif_codecs())
        for (const auto &[orientation, expected] : cases) {
            INFO("codec " << codec << ", orientation " << orientation);
            for (const auto &exif :
                 {std::string(), exif_block(6)}) { // which repeats what boxes say
                const auto bytes =
                    encode_heif(photo, codec, {.orientation = orientation, .exif = exif});
                const cv::Mat found = read(save(folder / "x.heif", bytes));
                REQUIRE(found.size() == expected.size());
                CHECK(mean_difference(found, grey_of(expected)) < lossy);
            }
        }
}

TEST_CASE("heif: A shrunk picture is the average of the whole one's areas") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs()) {
        const auto path = save(folder / "x.hif", encode_heif(make_photo(150, 90), codec));
        const Image whole = read_image(path, {.max_side = 0});
        for (const int side : {75, 64, 7}) {
            INFO("codec " << codec << ", side " << side);
            const PixelSize full{whole.width, whole.height};
            AreaAverage average(full, shrunk(full, side), Color::grey);
            for (int y = 0; y < whole.height; ++y)
                average.add(whole.pixels.data() + static_cast<std::size_t>(y) * whole.width);
            const Image image = read_image(path, {.max_side = side});
            CHECK(std::max(image.width, image.height) == side);
            CHECK(image.pixels == average.take().samples);
        }
    }
}

TEST_CASE("heif: The header gives the size that is decoded") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs())
        for (const auto size : {cv::Size(16, 16), {64, 64}, {150, 90}, {151, 91}, {300, 17}}) {
            INFO("codec " << codec << ", " << size);
            const auto file = encode_heif(make_photo(size.width, size.height), codec);
            const auto header = read_image_header(file);
            REQUIRE(header.has_value());
            CHECK(header->format == (codec == heif_compression_AV1 ? "AVIF" : "HEIC"));
            CHECK(read(save(folder / "x", file)).size() == size);
            // x265 takes even sizes from 64 on; libheif pads to them, and crops what it decodes
            const auto coded = [codec](int pixels) {
                return codec == heif_compression_AV1 ? pixels : std::max(64, pixels + pixels % 2);
            };
            CHECK(static_cast<int>(header->width) == coded(size.width));
            CHECK(static_cast<int>(header->height) == coded(size.height));
        }
}

TEST_CASE("heif: A file cut anywhere is refused") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs()) {
        const auto whole = encode_heif(make_photo(150, 90), codec);
        REQUIRE(refusal(save(folder / "x.heic", whole)).empty());
        for (std::size_t part = 1; part < 16; ++part) {
            const auto size = whole.size() * part / 16;
            INFO("codec " << codec << ", " << size << " of " << whole.size() << " bytes");
            const auto line = refusal(save(folder / "cut.heic", whole.substr(0, size)));
            CHECK_THAT(line, Catch::Contains("truncated") || Catch::Contains("damaged"));
        }
        CHECK_FALSE(refusal(save(folder / "y", whole.substr(0, whole.size() - 1))).empty());
    }
}

TEST_CASE("heif: A header that gives another size than the codec is refused") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs()) {
        INFO("codec " << codec);
        const auto file = encode_heif(make_photo(150, 90), codec);
        CHECK(refusal(save(folder / "x", with_ispe(file, 150, 90))).empty());
        for (const auto size : {cv::Size(152, 90), {150, 92}, {148, 90}, {150, 88}, {90, 150}}) {
            INFO(size);
            CHECK_THAT(refusal(save(folder / "x", with_ispe(file, size.width, size.height))),
                       Catch::Contains("gives two sizes"));
        }
        CHECK_THAT(refusal(save(folder / "x", with_ispe(file, 0, 90))), Catch::Contains("no size"));
    }
}

TEST_CASE("heif: A picture larger than the limits is refused before it is decoded") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs()) {
        const auto file = encode_heif(make_photo(150, 90), codec);
        const auto path = save(folder / "x", file);
        CHECK(refusal(path, {.max_pixels = 13500}).empty());
        CHECK_THAT(refusal(path, {.max_pixels = 13499}), Catch::Contains("limit of 13499"));
        const auto bytes = read_image_header(file)->decoder_bytes + 3 * 13500;
        CHECK(refusal(path, {.max_bytes = bytes}).empty());
        CHECK_THAT(refusal(path, {.max_bytes = bytes - 1}), Catch::Contains("--max-bytes"));
        const auto large = save(folder / "y", with_ispe(file, 60000, 60000));
        CHECK_THAT(refusal(large), Catch::StartsWith("60000x60000 pixels"));
    }
}

TEST_CASE("heif: Noisy bytes never escape as anything but an Error, nor decode to more pixels") {
    const TemporaryFolder folder;
    std::mt19937 random(9);
    int taken = 0;
    for (const auto codec : heif_codecs()) {
        const auto whole = encode_heif(make_photo(150, 90), codec);
        const auto head = whole.find("mdat");
        for (int round = 0; round < 400; ++round) {
            auto file = whole;
            for (unsigned hits = 1 + random() % 4; hits > 0; --hits)
                file[random() % (round % 2 == 0 ? head : file.size())] =
                    static_cast<char>(round % 3 == 0 ? 0 : random());
            INFO("codec " << codec << ", round " << round);
            const auto path = save(folder / "x.heic", file);
            if (!refusal(path, {.max_pixels = 1'000'000}).empty()) continue;
            ++taken;
            const auto header = read_image_header(file);
            const Image image = read_image(path, {.max_side = 0});
            if (header->decoder == Decoder::libheif)
                REQUIRE(image.pixels.size() <= header->width * header->height);
        }
    }
    CHECK((taken > 0 || heif_codecs().empty()));
}

TEST_CASE("heif: Several brands, and sequences without a still picture") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs()) {
        const auto whole = encode_heif(make_photo(150, 90), codec);
        for (const auto *brand : {"mif1", "heic", "heix", "avif"}) {
            INFO("codec " << codec << ", " << brand);
            auto file = whole;
            CHECK(refusal(save(folder / "x", file.replace(8, 4, brand))).empty());
        }
    }
    for (const auto &[brand, name] : {std::pair("avis", "AVIF"), {"msf1", "HEIC"}}) {
        const auto file = box("ftyp", brand + std::string(4, '\0')) + box("moov", "") +
                          box("mdat", std::string(100, 'x'));
        CHECK_THAT(refusal(save(folder / "x", file)),
                   Catch::StartsWith((*name == 'A' ? "an " : "a ") + std::string(name) +
                                     " that is a sequence"));
    }
}

TEST_CASE("heif: A codec that libheif does not read is reported as such") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs()) {
        const auto whole = encode_heif(make_photo(150, 90), codec);
        const auto *own = codec == heif_compression_AV1 ? "av01" : "hvc1";
        const auto at = whole.find(own, whole.find("infe"));
        for (const auto *other : {"vvc1", "none"}) {
            INFO("codec " << codec << ", " << other);
            auto file = whole;
            CHECK_THAT(refusal(save(folder / "x", file.replace(at, 4, other))),
                       Catch::Contains("does not read") && Catch::Contains("convert it"));
        }
    }
}

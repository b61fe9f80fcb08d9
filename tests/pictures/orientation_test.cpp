#include "tests/pictures/make_pictures.hpp"
#include "tests/pictures/make_tiffs.hpp"

#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <zlib.h>

using namespace bowhist;
using namespace std::string_literals;

namespace {

std::string big_endian(std::size_t number) {
    return {static_cast<char>(number >> 24), static_cast<char>(number >> 16),
            static_cast<char>(number >> 8), static_cast<char>(number)};
}

std::string little_endian(std::size_t number) {
    const auto big = big_endian(number);
    return {big.rbegin(), big.rend()};
}

std::string chunk(const std::string &type, const std::string &payload) {
    const auto named = type + payload;
    const auto sum =
        crc32(0, reinterpret_cast<const Bytef *>(named.data()), static_cast<uInt>(named.size()));
    return big_endian(payload.size()) + named + big_endian(sum);
}

enum class Place { front, behind_pixels };

std::string with_chunk(std::string png, const std::string &made, Place place) {
    return png.insert(place == Place::front ? 33 : png.size() - 12, made);
}

std::string deflated(const std::string &text) {
    std::string packed(compressBound(text.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef *>(packed.data()), &size,
             reinterpret_cast<const Bytef *>(text.data()), text.size());
    return packed.substr(0, size);
}

/// As ImageMagick and ExifTool write them.
std::string raw_profile(const std::string &name, const std::string &block) {
    std::string text = "\n" + name + "\n      " + std::to_string(block.size());
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (i % 36 == 0) text += '\n';
        for (const int shift : {4, 0}) text += "0123456789abcdef"[block[i] >> shift & 15];
    }
    return text + '\n';
}

std::string webp_chunk(const std::string &type, const std::string &payload) {
    return type + little_endian(payload.size()) + payload + std::string(payload.size() % 2, '\0');
}

/// An extended WebP of a simple one.
std::string with_webp_exif(const std::string &simple, cv::Size size, const std::string &exif) {
    const auto side = [](int pixels) {
        return little_endian(std::size_t(pixels) - 1).substr(0, 3);
    };
    const auto chunks = webp_chunk("VP8X", "\x08\0\0\0"s + side(size.width) + side(size.height)) +
                        simple.substr(12) + webp_chunk("EXIF", exif);
    return "RIFF" + little_endian(4 + chunks.size()) + "WEBP" + chunks;
}

} // namespace

TEST_CASE("orientation: A PNG stands as its eXIf asks, wherever it lies") {
    const cv::Mat photo = make_photo(48, 30);
    const auto png = encode(".png", photo);
    for (int orientation = 1; orientation <= 8; ++orientation) {
        INFO(orientation);
        const cv::Mat expected = turned(grey_of(photo), orientation);
        const auto block = exif_block(orientation);
        for (const auto place : {Place::front, Place::behind_pixels}) {
            CHECK(same(read_bytes(with_chunk(png, chunk("eXIf", block), place)), expected));
            CHECK(same(read_bytes(with_chunk(png, chunk("eXIf", "Exif\0\0"s + block), place)),
                       expected));
        }
    }
}

TEST_CASE("orientation: A PNG stands as its raw profile asks, unless eXIf says otherwise") {
    const cv::Mat photo = make_photo(48, 30);
    const auto png = encode(".png", photo);
    const auto exif = "Exif\0\0"s + exif_block(7);
    const cv::Mat expected = turned(grey_of(photo), 7);
    for (const auto *name : {"exif", "APP1"}) {
        const auto keyword = "Raw profile type "s + name + '\0';
        const auto text = raw_profile(name, exif);
        for (const auto &made :
             {chunk("tEXt", keyword + text), chunk("zTXt", keyword + '\0' + deflated(text)),
              chunk("iTXt", keyword + "\0\0"s + "\0\0"s + text),
              chunk("iTXt", keyword + "\1\0"s + "en\0Profil\0"s + deflated(text))}) {
            CHECK(same(read_bytes(with_chunk(png, made, Place::front)), expected));
            CHECK(same(read_bytes(with_chunk(png, made, Place::behind_pixels)), expected));
            const auto both = made + chunk("eXIf", exif_block(6));
            CHECK(same(read_bytes(with_chunk(png, both, Place::front)), turned(grey_of(photo), 6)));
        }
    }
    const auto generic =
        chunk("tEXt", "Raw profile type APP1\0"s + raw_profile("generic profile", exif));
    CHECK(same(read_bytes(with_chunk(png, generic, Place::front)), expected));
}

TEST_CASE("orientation: Texts that are no profile, or a huge one, change nothing") {
    const cv::Mat photo = make_photo(48, 30);
    const auto png = encode(".png", photo);
    const auto keyword = "Raw profile type exif\0"s;
    for (const auto &made :
         {chunk("tEXt", keyword), chunk("zTXt", keyword), chunk("iTXt", keyword),
          chunk("tEXt", keyword + "\nexif\n"), chunk("tEXt", keyword + "\nexif\n 26\nzz"),
          chunk("zTXt", keyword + "\0not packed"s),
          chunk("zTXt", keyword + '\0' + deflated(std::string(50'000'000, ' '))),
          chunk("tEXt", "Comment\0"s + raw_profile("exif", exif_block(6)))})
        CHECK(same(read_bytes(with_chunk(png, made, Place::front)), grey_of(photo)));
}

TEST_CASE("orientation: No more than a few profiles of a PNG are unpacked") {
    const auto png = encode(".png", make_photo(48, 30));
    const auto keyword = "Raw profile type exif\0\0"s;
    const auto orientation_behind = [&](int empty_profiles) {
        std::string made;
        for (int i = 0; i < empty_profiles; ++i) made += chunk("zTXt", keyword + deflated("\n"));
        made += chunk("zTXt", keyword + deflated(raw_profile("exif", exif_block(6))));
        return read_image_header(with_chunk(png, made, Place::front))->orientation;
    };
    CHECK(orientation_behind(10) == 6);
    CHECK(orientation_behind(100) == 1); // 100 000 would take seconds
}

TEST_CASE("orientation: A WebP stands as its EXIF chunk asks") {
    const cv::Mat photo = make_photo(48, 30);
    const auto webp = encode(".webp", photo, {cv::IMWRITE_WEBP_QUALITY, 101});
    for (int orientation = 1; orientation <= 8; ++orientation) {
        INFO(orientation);
        const cv::Mat expected = turned(grey_of(photo), orientation);
        const auto block = exif_block(orientation);
        CHECK(same(read_bytes(with_webp_exif(webp, photo.size(), block)), expected));
        CHECK(same(read_bytes(with_webp_exif(webp, photo.size(), "Exif\0\0"s + block + '\0')),
                   expected));
    }
}

TEST_CASE("orientation: A JPEG 2000 stands as the Exif behind it or before it asks") {
    const cv::Mat photo = make_photo(64, 48);
    const auto plain = encode(".jp2", photo, {cv::IMWRITE_JPEG2000_COMPRESSION_X1000, 1000});
    const auto payload = "uuidJpgTiffExif->JP2"s + exif_block(6);
    const auto box = big_endian(4 + payload.size()) + payload;
    const auto stream = plain.find("jp2c") - 4;
    auto before = plain;
    before.insert(stream, box);
    const cv::Mat expected = turned(grey_of(photo), 6);
    CHECK(same(read_bytes(before), expected));
    if (plain.substr(stream, 4) != "\0\0\0\0"s) CHECK(same(read_bytes(plain + box), expected));
}

TEST_CASE("orientation: A TIFF stands as its tag asks, whatever its samples") {
    const cv::Mat photo = make_photo(40, 24);
    const cv::Mat grey = grey_of(photo);
    struct Kind {
        const cv::Mat &image;
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
                const auto samples = tiff_samples(kind.image, kind.scale);
                const auto of = [&](int orientation) {
                    return read_bytes(make_tiff(
                        samples, kind.how, {{274, 3, {double(orientation)}}}, is_little, is_big));
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
    std::vector<double> colors(768);
    for (int i = 0; i < 768; ++i) colors[i] = i % 256 * 257;
    for (int orientation = 1; orientation <= 8; ++orientation)
        CHECK(same(read_bytes(make_tiff(tiff_samples(indices), {.photometric = 3},
                                        {{274, 3, {double(orientation)}}, {320, 3, colors}})),
                   turned(indices, orientation)));
}

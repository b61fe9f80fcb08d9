#include <bowhist/pictures/header/picture_header.hpp>

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <string_view>

using namespace bowhist;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

std::string segment(char marker, std::string_view payload) {
    const auto length = payload.size() + 2;
    return "\xFF"s + marker + static_cast<char>(length >> 8) + static_cast<char>(length) +
           std::string(payload);
}

// 5 lines of 3 pixels, one component, then one scan whose data holds a stuffed zero and a restart.
const std::string start_of_image = "\xFF\xD8"s;
const std::string end_of_image = "\xFF\xD9"s;
const std::string frame = segment('\xC0', "\x08\0\x05\0\x03\x01\x01\x11\0"sv);
const std::string scan = segment('\xDA', "\x01\x01\0\0\x3F\0"sv) + "\x12\xFF\0\x34\xFF\xD0\x56"s;

std::string chunk(std::string_view type, std::string_view payload) {
    return "\0\0\0"s + static_cast<char>(payload.size()) + std::string(type) +
           std::string(payload) + "crc4";
}

const std::string png = "\x89PNG\r\n\x1A\n"s +
                        chunk("IHDR", "\0\0\x01\x02\0\0\x03\x04\x08\0\0\0\0"sv) +
                        chunk("IDAT", "pixels") + chunk("IEND", "");

void check_size(std::string_view file, std::string_view format, unsigned width, unsigned height) {
    const auto header = read_image_header(file);
    REQUIRE(header.has_value());
    CHECK(header->format == format);
    CHECK(header->decoder == (format == "JPEG"                       ? Decoder::libjpeg
                              : format == "GIF"                      ? Decoder::giflib
                              : format == "HEIC" || format == "AVIF" ? Decoder::libheif
                                                                     : Decoder::opencv));
    CHECK(header->width == width);
    CHECK(header->height == height);
}

} // namespace

TEST_CASE("pictures: A JPEG's size is that of its frame, not of a thumbnail") {
    const auto thumbnail = segment('\xE1', start_of_image + segment('\xC0', "\x08\0\x09\0\x09"sv) +
                                               scan + end_of_image);
    const auto file = start_of_image + thumbnail + frame + scan + end_of_image;
    check_size(file, "JPEG", 3, 5);
    CHECK(read_image_header(file)->complete);
    CHECK(read_image_header(file)->scans == 1);
}

TEST_CASE("pictures: A JPEG has its end at its end marker and no byte earlier") {
    const auto thumbnail = segment('\xE1', frame + scan + end_of_image);
    const auto head = start_of_image + thumbnail + frame;
    const auto file = head + scan + end_of_image;
    for (std::size_t size = 3; size < file.size(); ++size) {
        INFO(size);
        const auto header = read_image_header(file.substr(0, size));
        CHECK_FALSE(header->has_end);
        CHECK(header->data_end == size);
        const auto scan_header = head.size() + 10;
        CHECK(header->complete == (size >= scan_header)); // decoding finds out
    }
    CHECK(read_image_header(file)->complete);
    CHECK(read_image_header(file)->has_end);
    CHECK(read_image_header(file + "a ZIP archive, say")->data_end == file.size());
    CHECK(read_image_header(file + "a ZIP archive, say")->complete);
    CHECK_FALSE(read_image_header(start_of_image + frame + end_of_image)->complete);
}

TEST_CASE("pictures: A progressive JPEG is complete when all bits of all coefficients are there") {
    const auto progressive = segment('\xC2', "\x08\0\x05\0\x03\x01\x01\x11\0"sv);
    const auto part = [](int first, int last, int high, int low) {
        return segment('\xDA',
                       std::string{1, 1, 0, static_cast<char>(first), static_cast<char>(last),
                                   static_cast<char>(high << 4 | low)}) +
               "\x12";
    };
    auto file = start_of_image + progressive;
    for (const auto &scan_of : {part(0, 0, 0, 1), part(0, 0, 1, 0), part(1, 63, 0, 2),
                                part(1, 63, 2, 1), part(1, 5, 1, 0)}) {
        file += scan_of;
        CHECK_FALSE(read_image_header(file)->complete);
        CHECK(read_image_header(file + end_of_image)->complete);
    }
    file += part(6, 63, 1, 0);
    const auto header = read_image_header(file + part(6, 63, 1, 0) + end_of_image);
    CHECK(header->complete);
    CHECK(header->data_end == file.size());
    CHECK(header->scans == 6);
    CHECK(header->passes == 6);
}

TEST_CASE("pictures: A PNG is complete at the end of IEND and no byte earlier") {
    check_size(png, "PNG", 258, 772);
    CHECK(read_image_header(png)->complete);
    CHECK(read_image_header(png + "trailing")->complete);
    for (std::size_t size = 8; size < png.size(); ++size) {
        INFO(size);
        CHECK_FALSE(read_image_header(png.substr(0, size))->complete);
    }
    CHECK_FALSE(read_image_header(png.substr(0, 33) + "\xFF\xFF\xFF\xFFIDAT"s)->complete);
}

TEST_CASE("pictures: Sizes in the headers of the other formats") {
    const auto riff = "RIFF\0\0\0\0WEBP"s;
    check_size(riff + "VP8 \0\0\0\0\0\0\0\x9D\x01\x2A\x0A\x40\x14\x80"s, "WebP", 10, 20);
    check_size(riff + "VP8L\0\0\0\0\x2F\x09\xC0\x04\0"s, "WebP", 10, 20);
    check_size(riff + "VP8X\0\0\0\0\0\0\0\0\x09\0\0\x13\0\0"s, "WebP", 10, 20);

    const auto bmp = "BM"s + std::string(12, '\0');
    check_size(bmp + "\x28\0\0\0\x0A\0\0\0\x14\0\0\0"s, "BMP", 10, 20);
    check_size(bmp + "\x28\0\0\0\x0A\0\0\0\xEC\xFF\xFF\xFF"s, "BMP", 10, 20); // the top row first
    check_size(bmp + "\x28\0\0\0\xF6\xFF\xFF\xFF\x14\0\0\0"s, "BMP", 0, 20);
    check_size(bmp + "\x0C\0\0\0\x0A\0\x14\0"s, "BMP", 10, 20);

    check_size(
        "II*\0\x08\0\0\0\x02\0\0\x01\x03\0\x01\0\0\0\x0A\0\0\0\x01\x01\x04\0\x01\0\0\0\x14\0\0\0"s,
        "TIFF", 10, 20);
    check_size(
        "MM\0*\0\0\0\x08\0\x02\x01\0\0\x03\0\0\0\x01\0\x0A\0\0\x01\x01\0\x04\0\0\0\x01\0\0\0\x14"s,
        "TIFF", 10, 20);
    check_size("II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0"
               "\0\x01\x10\0\x01\0\0\0\0\0\0\0\x0A\0\0\0\0\0\0\0"s,
               "TIFF", 10, 0);

    check_size("P4 10 20\n"sv, "PNM", 10, 20);
    check_size("P5\n# a comment of 3 words\n10\t20 # 30\n255\n"sv, "PNM", 10, 20);
    check_size("P2 99999999999999999999 20 255"sv, "PNM", 0, 20);

    const auto codestream = "\xFF\x4F\xFF\x51\0\x29\0\0\0\0\0\x0F\0\0\0\x14\0\0\0\x05\0\0\0\0"s;
    check_size(codestream, "JPEG 2000", 10, 20);
    check_size("\0\0\0\x0CjP  \r\n\x87\n\0\0\0\x0A"
               "free..\0\0\0\0jp2c"s +
                   codestream,
               "JPEG 2000", 10, 20);
    check_size("GIF89a\x0A\0\x14\0"sv, "GIF", 10, 20);
    check_size("\x59\xA6\x6A\x95\0\0\0\x0A\0\0\0\x14"s, "Sun raster", 10, 20);
}

TEST_CASE("pictures: A HEIC's size is the largest of its boxes") {
    const auto box = [](std::string_view type, const std::string &payload) {
        return "\0\0\0"s + static_cast<char>(8 + payload.size()) + std::string(type) + payload;
    };
    const auto size = [&](char width, char height) {
        return box("ispe", "\0\0\0\0\0\0\0"s + width + "\0\0\0"s + height);
    };
    const auto in_meta = [&](const std::string &properties) {
        return box("meta", "\0\0\0\0"s + box("iprp", box("ipco", properties)));
    };
    const auto heic = box("ftyp", "heic\0\0\0\0mif1heic"s);
    check_size(heic + in_meta(size(10, 20)), "HEIC", 10, 20);
    check_size(heic + in_meta(size(5, 5) + size(10, 20) + size(25, 7)), "HEIC", 10, 20);
    check_size(heic + box("free", size(90, 90)) + in_meta(box("free", "") + size(10, 20)), "HEIC",
               10, 20);
    check_size(heic + in_meta(""), "HEIC", 0, 0);
    check_size(box("ftyp", "avif\0\0\0\0avif"s) + in_meta(size(10, 20)), "AVIF", 10, 20);
    check_size(box("ftyp", "mif1\0\0\0\0miafavif"s) + in_meta(size(10, 20)), "AVIF", 10, 20);
    check_size(box("ftyp", "mif1\0\0\0\0miafheic"s) + in_meta(size(10, 20)), "HEIC", 10, 20);
    for (const auto *brand : {"heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "msf1"})
        check_size(box("ftyp", brand + "\0\0\0\0"s) + in_meta(size(10, 20)), "HEIC", 10, 20);

    // A box to the end of the file, and boxes of 64-bit lengths
    auto to_the_end = in_meta(size(10, 20));
    to_the_end[3] = 0;
    check_size(heic + to_the_end, "HEIC", 10, 20);
    CHECK(read_image_header(heic + to_the_end)->complete);
    const auto long_one = [](std::string_view type, const std::string &payload) {
        return "\0\0\0\x01"s + std::string(type) + "\0\0\0\0\0\0\0"s +
               static_cast<char>(16 + payload.size()) + payload;
    };
    check_size(heic + long_one("mdat", "pixels") +
                   long_one("meta", "\0\0\0\0"s + long_one("iprp", long_one("ipco", size(10, 20)))),
               "HEIC", 10, 20);
    // Lengths beyond the end, shorter than a box's own head, and round the corner
    auto beyond = in_meta(size(10, 20));
    beyond[2] = 1;
    check_size(heic + beyond, "HEIC", 10, 20);
    CHECK_FALSE(read_image_header(heic + beyond)->complete);
    CHECK(read_image_header(heic + in_meta(size(10, 20)))->complete);
    check_size(heic + "\0\0\0\4free"s + in_meta(size(10, 20)), "HEIC", 0, 0);
    check_size(heic + "\0\0\0\1free\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xF8"s + in_meta(size(10, 20)),
               "HEIC", 0, 0);
    CHECK_FALSE(read_image_header(heic + box("moov", ""))->flaw.empty());
    CHECK(read_image_header(heic + box("moov", "") + in_meta(size(10, 20)))->flaw.empty());
}

TEST_CASE("pictures: Formats that are known by name only") {
    const auto format_of = [](std::string_view file) {
        const auto header = read_image_header(file);
        REQUIRE(header.has_value());
        CHECK(header->decoder == Decoder::none);
        return header->format;
    };
    CHECK(format_of("qoif") == "QOI");
    CHECK(format_of("\xFF\x0A"sv) == "JPEG XL");
    CHECK(format_of("P7\nWIDTH 3\n") == "PAM");
    CHECK_FALSE(read_image_header("").has_value());
    CHECK_FALSE(read_image_header("<html>").has_value());
    CHECK_FALSE(read_image_header("BM, a text").has_value());
    CHECK_FALSE(read_image_header("\0\0\0\x20"
                                  "ftypisom"sv)
                    .has_value());
}

TEST_CASE("pictures: Any bytes behind a magic are read without harm") {
    std::mt19937 random(7);
    const auto magics = {"\xFF\xD8\xFF"s,
                         "\x89PNG\r\n\x1A\n"s,
                         "RIFF....WEBPVP8 "s,
                         "RIFF....WEBPVP8L"s,
                         "II*\0"s,
                         "MM\0*"s,
                         "II+\0"s,
                         "MM\0+"s,
                         "BM"s,
                         "P2 "s,
                         "P5\n"s,
                         "\0\0\0\x0CjP  \r\n\x87\n"s,
                         "\xFF\x4F\xFF\x51"s,
                         "\x59\xA6\x6A\x95"s,
                         "\0\0\0\x0C"
                         "ftypheic\0\0\0\0meta\0\0\0\0\0\0\0\0iprp\0\0\0\0ipco"s,
                         "\0\0\0\x0C"
                         "ftypmif1\0\0\0\0meta\0\0\0\0\0\0\0\0iprp\0\0\0\0ipco"
                         "\0\0\0\0ispe"s};
    for (const auto &magic : magics) {
        for (int round = 0; round < 300; ++round) {
            auto file = magic;
            const auto bytes = random() % 200;
            for (unsigned i = 0; i < bytes; ++i) {
                // 0 and 255 often: small offsets, markers, numbers at the edge
                const auto choice = random() % 4;
                file += static_cast<char>(choice == 0 ? 0 : choice == 1 ? 255 : random());
            }
            const auto header = read_image_header(file);
            if (header) CHECK_FALSE(header->format.empty());
        }
    }
}

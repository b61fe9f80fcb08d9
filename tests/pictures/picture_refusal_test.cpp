#include "tests/pictures/make_pictures.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <random>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

using namespace bowhist;
using namespace bowhist::testing;
using namespace std::string_literals;
namespace fs = std::filesystem;

TEST_CASE("pictures: What is no regular file is refused, and nothing blocks") {
    const TemporaryFolder folder;
    CHECK_THAT(refusal(folder / "missing.jpg"), Catch::Contains("No such file"));
    fs::create_directory(folder / "x.jpg");
    CHECK_THAT(refusal(folder / "x.jpg"), Catch::Contains("directory"));
    REQUIRE(::mkfifo((folder / "fifo.jpg").c_str(), 0600) == 0);
    CHECK_THAT(refusal(folder / "fifo.jpg"), Catch::Contains("regular file"));
    CHECK_THAT(refusal("/dev/zero"), Catch::Contains("regular file"));
    fs::create_symlink("loop.jpg", folder / "loop.jpg");
    CHECK_THAT(refusal(folder / "loop.jpg"), Catch::Contains("symbolic links"));
    CHECK_THROWS_AS(read_image("a\0b.jpg"s), Error);
}

TEST_CASE("pictures: A file that may not be read is refused") {
    if (::geteuid() == 0) {
        WARN("skipped: root can read every file");
        return;
    }
    const TemporaryFolder folder;
    const auto path = save(folder / "x.png", encode(".png", make_photo(8, 8)));
    fs::permissions(path, fs::perms::none);
    CHECK_THAT(refusal(path), Catch::Contains("Permission denied"));
}

TEST_CASE("pictures: What is no picture is refused by its kind") {
    const TemporaryFolder folder;
    CHECK_THAT(refusal(save(folder / "a.jpg", "")), Catch::Contains("empty"));
    CHECK_THAT(refusal(save(folder / "b.jpg", "<html>")), Catch::Contains("no picture"));
    CHECK_THAT(refusal(save(folder / "c.jpg", "qoif...")), Catch::StartsWith("QOI, which"));
    CHECK_THAT(refusal(save(folder / "d.jpg", std::string(1000, '\0'))),
               Catch::Contains("no picture"));
}

TEST_CASE("pictures: The size is checked in the header, before anything is decoded") {
    const TemporaryFolder folder;
    const auto jpeg = encode(".jpg", make_photo(16, 16));
    const auto large = save(folder / "large.jpg", with_frame_size(jpeg, 60000, 60000));
    CHECK_THAT(refusal(large),
               Catch::StartsWith("60000x60000 pixels, more than the limit of 500000000"));

    auto png = encode(".png", make_photo(16, 16));
    png.replace(16, 8, "\x7F\xFF\xFF\xFF\x7F\xFF\xFF\xFF");
    CHECK_THAT(refusal(save(folder / "large.png", png)), Catch::Contains("more than the limit"));

    const auto exact = save(folder / "exact.png", encode(".png", make_photo(20, 10)));
    CHECK(refusal(exact, {.max_pixels = 200}).empty());
    CHECK_THAT(refusal(exact, {.max_pixels = 199}), Catch::Contains("limit of 199"));
    const auto none = save(folder / "none.jpg", with_frame_size(jpeg, 0, 16));
    CHECK_THAT(refusal(none), Catch::Contains("no size"));
}

TEST_CASE("pictures: A picture never reaches the decoder of another kind") {
    const TemporaryFolder folder;
    const auto photo = make_photo(64, 48);
    for (const auto *signature : {"DICM", "DTED"}) {
        const std::size_t place = signature == "DICM"s ? 128 : 140;
        for (const auto *ending : {".webp", ".bmp", ".ppm", ".jp2", ".ras", ".png"}) {
            INFO(ending << " with " << signature);
            auto bytes = encode(ending, photo);
            bytes.replace(place, 4, signature);
            const bool is_size = ending == ".jp2"s && signature == "DICM"s; // OpenJPEG's to refuse
            CHECK_THAT(refusal(save(folder / "x", bytes)),
                       Catch::Contains(is_size ? "damaged" : "DICOM"));
        }
        // A comment of a JPEG, and a text of a PNG, are no pixels.
        auto jpeg = encode(".jpg", photo);
        jpeg.insert(2, "\xFF\xFE\0\xC8"s + std::string(place - 6, ' ') + signature +
                           std::string(198 - (place - 6) - 4, ' '));
        REQUIRE(jpeg.substr(place, 4) == signature);
        CHECK(refusal(save(folder / "x.jpg", jpeg)).empty());
        auto png = encode(".png", photo);
        png.insert(33, "\0\0\0\xC8tEXt"s + std::string(place - 41, ' ') + signature +
                           std::string(200 - (place - 41) - 4, ' ') + "crc4");
        REQUIRE(png.substr(place, 4) == signature);
        CHECK(refusal(save(folder / "x.png", png)).empty());
    }
}

TEST_CASE("pictures: A JPEG 2000 that is a DICOM file, too, is not read as one") {
    // What follows the boxes of a JPEG 2000 of 64 x 64 is a whole DICOM file of 2 x 2.
    const auto element = [](std::uint16_t group, std::uint16_t number, const char *type,
                            const std::string &value) {
        const auto two = [](std::size_t n) {
            return std::string{static_cast<char>(n), static_cast<char>(n >> 8)};
        };
        const bool is_long = type == "OW"s || type == "OB"s;
        return two(group) + two(number) + type +
               (is_long ? "\0\0"s + two(value.size()) + "\0\0"s : two(value.size())) + value;
    };
    const auto meta =
        element(2, 1, "OB", "\0\1"s) + element(2, 2, "UI", "1.2.840.10008.5.1.4.1.1.7\0"s) +
        element(2, 3, "UI", "1.2.3\0"s) + element(2, 0x10, "UI", "1.2.840.10008.1.2.1\0"s);
    const auto dicom =
        "DICM" + element(2, 0, "UL", std::string{static_cast<char>(meta.size())} + "\0\0\0"s) +
        meta + element(8, 0x16, "UI", "1.2.840.10008.5.1.4.1.1.7\0"s) +
        element(8, 0x18, "UI", "1.2.3\0"s) + element(0x28, 2, "US", "\1\0"s) +
        element(0x28, 4, "CS", "MONOCHROME2 ") + element(0x28, 0x10, "US", "\2\0"s) +
        element(0x28, 0x11, "US", "\2\0"s) + element(0x28, 0x100, "US", "\x08\0"s) +
        element(0x28, 0x101, "US", "\x08\0"s) + element(0x28, 0x102, "US", "\7\0"s) +
        element(0x28, 0x103, "US", "\0\0"s) + element(0x7FE0, 0x10, "OW", "\1\2\3\4"s);
    auto boxes = "\0\0\0\x0CjP  \r\n\x87\n\0\0\0\0jp2c\xFF\x4F\xFF\x51\0\x29\0\0"s +
                 "\0\0\0\x40\0\0\0\x40\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\x40"s;
    boxes.resize(128, '\0');
    const TemporaryFolder folder;
    CHECK_THAT(refusal(save(folder / "x.jp2", boxes + dicom)), Catch::Contains("DICOM"));
}

TEST_CASE("pictures: A huge file behind a small header is not read") {
    const TemporaryFolder folder;
    for (const auto *ending : {".jpg", ".png", ".tiff", ".bmp"}) {
        const auto path = save(folder / ("x"s + ending), encode(ending, make_photo(16, 16)));
        fs::resize_file(path, 5ULL << 30); // sparse
        CHECK_THAT(refusal(path), Catch::Contains("absurd"));
    }
}

TEST_CASE("pictures: A JPEG of hundreds of scans is refused") {
    const TemporaryFolder folder;
    auto jpeg = encode(".jpg", make_photo(16, 16), {cv::IMWRITE_JPEG_PROGRESSIVE, 1});
    const auto scan = jpeg.find("\xFF\xDA"); // lacks bits: the image does not end behind it
    const auto empty_scan = jpeg.substr(scan, 14);
    for (int i = 0; i < 500; ++i) jpeg.insert(scan, empty_scan);
    CHECK_THAT(refusal(save(folder / "x.jpg", jpeg)), Catch::Contains("scans"));
}

TEST_CASE("pictures: Every cut of a picture is refused") {
    const TemporaryFolder folder;
    const auto photo = make_photo(48, 32);
    const std::vector<int> progressive = {cv::IMWRITE_JPEG_PROGRESSIVE, 1};
    const std::size_t end_of_image = 2; // a JPEG without it lacks nothing else
    for (const auto &[bytes, spare] : {std::pair(encode(".jpg", photo), end_of_image),
                                       {encode(".jpg", photo, progressive), end_of_image},
                                       {encode(".png", photo), 0}}) {
        REQUIRE(refusal(save(folder / "whole", bytes)).empty());
        for (std::size_t size = 0; size < bytes.size() - spare; ++size) {
            if (refusal(save(folder / "cut", bytes.substr(0, size))).empty())
                FAIL("took " << size << " bytes");
        }
    }
}

TEST_CASE("pictures: Cut or noisy bytes of any format never escape as anything but an Error") {
    const TemporaryFolder folder;
    const auto photo = make_photo(64, 48); // JPEG 2000 takes no less
    std::mt19937 random(5);
    for (const auto *ending : {".webp", ".tiff", ".bmp", ".ppm", ".jp2", ".ras", ".jpg", ".png"}) {
        const auto whole = encode(ending, photo);
        for (int round = 0; round < 60; ++round) {
            auto bytes = whole.substr(0, round % 3 == 0 ? random() % whole.size() : whole.size());
            if (bytes.empty()) continue;
            for (unsigned hits = random() % 8; hits > 0; --hits) {
                bytes[random() % std::min<std::size_t>(bytes.size(), 200)] =
                    static_cast<char>(random());
            }
            refusal(save(folder / "x", bytes), {.max_pixels = 1'000'000});
        }
    }
    SUCCEED();
}

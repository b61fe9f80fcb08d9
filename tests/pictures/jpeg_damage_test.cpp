#include "tests/pictures/make_jpegs.hpp"
#include "tests/pictures/make_pictures.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace bowhist;
using namespace bowhist::testing;
using namespace std::string_literals;

namespace {

const std::string end_of_image = "\xFF\xD9"s;

std::size_t begin_of_data(const std::string &jpeg) {
    const auto scan = jpeg.find("\xFF\xDA");
    return scan + 2 + static_cast<unsigned char>(jpeg[scan + 3]);
}

/// The first half of the entropy-coded data, then the end of the image as if nothing were amiss.
std::string halved(const std::string &jpeg) {
    const auto data = begin_of_data(jpeg);
    return jpeg.substr(0, data + (jpeg.size() - data) / 2) + end_of_image;
}

std::vector<std::string> healthy() {
    const auto photo = make_photo(160, 120);
    return {encode_jpeg_as({"baseline", JCS_EXT_BGR, JCS_YCbCr, 2, 2}, photo),
            encode_jpeg_as({"progressive", JCS_EXT_BGR, JCS_YCbCr, 2, 2, true}, photo)};
}

} // namespace

TEST_CASE("jpeg: A premature end is damage, with and without an end of image behind it") {
    const TemporaryFolder folder;
    for (const auto &jpeg : healthy()) {
        const auto half = save(folder / "half.jpg", halved(jpeg));
        CHECK_THAT(refusal(half),
                   Catch::StartsWith("damaged") && Catch::Contains("--keep-damaged"));
        const auto cut = save(folder / "cut.jpg", jpeg.substr(0, jpeg.size() / 2));
        CHECK_THAT(refusal(cut),
                   Catch::StartsWith("truncated") && Catch::Contains("--keep-damaged"));
    }
}

TEST_CASE("jpeg: Corrupt data is damage") {
    const TemporaryFolder folder;
    const auto forms = healthy();
    std::string no_code; // sixteen ones are no Huffman code
    for (int i = 0; i < 10; ++i) no_code += "\xFF\0"s;
    // Of baseline data, libjpeg-turbo checks the codes of the last few kilobytes only.
    const std::size_t places[] = {forms[0].size() - 60, begin_of_data(forms[1]) + 20};
    for (std::size_t i = 0; i < forms.size(); ++i) {
        INFO(i);
        auto corrupt = forms[i];
        REQUIRE(refusal(save(folder / "x.jpg", corrupt)).empty());
        corrupt.replace(places[i], no_code.size(), no_code);
        CHECK_THAT(refusal(save(folder / "x.jpg", corrupt)), Catch::StartsWith("damaged"));
    }
}

TEST_CASE("jpeg: A lost restart marker is damage") {
    const TemporaryFolder folder;
    auto jpeg = encode(".jpg", make_photo(160, 120), {cv::IMWRITE_JPEG_RST_INTERVAL, 4});
    REQUIRE(refusal(save(folder / "x.jpg", jpeg)).empty());
    const auto restart = jpeg.find("\xFF\xD2", begin_of_data(jpeg));
    REQUIRE(restart != std::string::npos);
    CHECK_FALSE(refusal(save(folder / "x.jpg", jpeg.erase(restart, 2))).empty());
}

TEST_CASE("jpeg: Damage is kept when that is asked for, and reported in one line") {
    const TemporaryFolder folder;
    for (const auto &jpeg : healthy()) {
        const auto whole = read_image(save(folder / "whole.jpg", jpeg));
        for (const auto &bytes : {halved(jpeg), jpeg.substr(0, jpeg.size() / 2)}) {
            const auto path = save(folder / "half.jpg", bytes);
            ImageRemarks remarks;
            const auto image = read_image(path, {.keep_damaged = true}, &remarks);
            CHECK(image.width == whole.width);
            CHECK(image.height == whole.height);
            CHECK_THAT(remarks.damage, Catch::StartsWith(path.native() + ": damaged"));
            CHECK(remarks.damage.find('\n') == std::string::npos);
            // what comes before the damage is there
            CHECK(std::equal(whole.pixels.begin(), whole.pixels.begin() + whole.width,
                             image.pixels.begin()) == (jpeg == healthy()[0]));
            CHECK_FALSE(thumbnail_jpeg(path, 64).empty());
        }
        ImageRemarks remarks;
        read_image(folder / "whole.jpg", {.keep_damaged = true}, &remarks);
        CHECK(remarks.damage.empty());
    }
}

TEST_CASE("jpeg: What leaves the pixels alone is no damage") {
    const TemporaryFolder folder;
    const auto jpeg = encode(".jpg", make_photo(64, 48));
    const auto expected = read_image(save(folder / "x.jpg", jpeg)).pixels;
    const auto scan = jpeg.find("\xFF\xDA");

    auto rubbish = jpeg;
    rubbish.insert(scan, "rubbish before a marker");
    auto version = jpeg;
    REQUIRE(version.substr(6, 4) == "JFIF");
    version[11] = 7; // its major number
    auto trailing = jpeg;
    trailing.insert(jpeg.size() - 2, "rubbish before the end");
    auto samsung = jpeg;
    samsung[scan + 12] = 0; // the last coefficient of the scan, as cameras of Samsung write it
    for (const auto &bytes : {rubbish, version, trailing, samsung, jpeg + "behind the end"}) {
        ImageRemarks remarks;
        CHECK(read_image(save(folder / "x.jpg", bytes), {.keep_damaged = true}, &remarks).pixels ==
              expected);
        CHECK(remarks.damage.empty());
        CHECK(refusal(folder / "x.jpg").empty());
    }
}

TEST_CASE("jpeg: Of several pictures in a file, the first is taken") {
    const TemporaryFolder folder;
    const auto first = encode(".jpg", make_photo(64, 48));
    const auto second = encode(".jpg", make_photo(32, 24)); // a gain map, or the other eye's
    const auto index = "MPF\0MM\0*\0\0\0\x08\0\0\0\0\0\0"s;
    auto several = first + second + std::string(100, '\0') + second;
    several.insert(2, "\xFF\xE2\0"s + static_cast<char>(index.size() + 2) + index);
    const auto expected = read_image(save(folder / "x.jpg", first)).pixels;
    CHECK(read_image(save(folder / "x.jpg", several)).pixels == expected);
    CHECK(refusal(folder / "x.jpg").empty());
}

TEST_CASE("jpeg: Components without a scan are missing, and what waits for them is counted") {
    const auto jpeg = encode(".jpg", make_photo(64, 48));
    auto first_only = jpeg;
    const auto scan = first_only.find("\xFF\xDA\x00\x0C\x03"s);
    REQUIRE(scan != jpeg.npos);
    first_only.replace(scan + 3, 2, "\x08\x01"); // of one component
    first_only.erase(scan + 7, 4);
    const auto header = read_image_header(first_only);
    CHECK_FALSE(header->complete);
    CHECK(header->decoder_bytes == 64 * 48 * 4); // 4:2:0, 1.5 samples of 16 bits beside the pixels
    CHECK(read_image_header(jpeg)->complete);
}

TEST_CASE("jpeg: Scans are bounded by the work that they make") {
    const TemporaryFolder folder;
    const auto photo = make_photo(160, 120);
    const auto progressive =
        encode_jpeg_as({"progressive", JCS_EXT_BGR, JCS_YCbCr, 2, 2, true}, photo);
    const auto pixels = static_cast<std::uint64_t>(photo.total());
    // What an encoder writes passes even in an image that has all the pixels that are allowed.
    CHECK(refusal(save(folder / "x.jpg", progressive), {.max_pixels = pixels}).empty());

    const auto with_more_scans = [&](int more) {
        auto jpeg = progressive;
        // The last but one: what follows the last bits is no part of the image.
        const auto begin = jpeg.rfind("\xFF\xDA", jpeg.rfind("\xFF\xDA") - 1);
        const auto scan = jpeg.substr(begin, jpeg.find("\xFF\xC4", begin) - begin);
        for (int i = 0; i < more; ++i) jpeg.insert(begin, scan);
        return save(folder / "x.jpg", jpeg);
    };
    CHECK_THAT(refusal(with_more_scans(100), {.max_pixels = pixels}), Catch::Contains("scans"));
    CHECK_THAT(refusal(with_more_scans(200), {.max_pixels = 100 * pixels}),
               Catch::Contains("scans"));
    // Far below the limit of pixels as many cost little. (Refined twice, its data is in disorder.)
    CHECK_THAT(refusal(with_more_scans(100), {.max_pixels = 10 * pixels}),
               !Catch::Contains("scans"));
}

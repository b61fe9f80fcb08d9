#include "tests/pictures/make_jpegs.hpp"
#include "tests/pictures/make_pictures.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace bowhist;
using namespace bowhist::testing;
using namespace std::string_literals;

TEST_CASE("jpeg: All rows without an end of image are the whole picture, whatever follows them") {
    const TemporaryFolder folder;
    const auto photo = make_photo(160, 120);
    const auto thumbnail = encode(".jpg", make_photo(40, 30));
    const std::string tails[] = {"",
                                 "\xFF"s,
                                 std::string(1000, '\0'),
                                 std::string(1000, '\xFF'),
                                 "text\xFF\x0B\xFF\x02\0\0\0\x18"
                                 "ftypmp42SEFH\0\0\0\0SEFT"s,
                                 thumbnail,
                                 "text" + thumbnail + "text",
                                 "\0\0\0\x18"
                                 "ftypmp42" +
                                     std::string(40, 'x') + thumbnail.substr(2),
                                 "\xFF\xDA\0\x0C\3\1\0\2\x11\3\x11\0\x3F\0"s +
                                     std::string(100, 'x'),
                                 "\xFF\xC4\0\x05\xFF\xFF\xFF"s};
    for (const bool progressive : {false, true})
        for (const int restart : {0, 4}) {
            const auto jpeg = encode(".jpg", photo,
                                     {cv::IMWRITE_JPEG_PROGRESSIVE, progressive,
                                      cv::IMWRITE_JPEG_RST_INTERVAL, restart});
            const auto expected = read_image(save(folder / "x.jpg", jpeg)).pixels;
            const auto endless = jpeg.substr(0, jpeg.size() - 2);
            for (const auto &tail : tails) {
                INFO("progressive " << progressive << ", restart " << restart << ", tail "
                                    << &tail - tails);
                const auto path = save(folder / "x.jpg", endless + tail);
                CHECK(refusal(path).empty());
                ImageRemarks remarks;
                CHECK(read_image(path, {.keep_damaged = true}, &remarks).pixels == expected);
                CHECK(remarks.damage.empty());
            }
            // The last rows are missing, or the last scan.
            for (const auto &tail : {tails[0], tails[4], tails[5]}) {
                const auto cut = endless.substr(0, endless.size() - 400);
                CHECK_THAT(refusal(save(folder / "x.jpg", cut + tail)),
                           Catch::StartsWith("truncated"));
            }
            if (!progressive) continue;
            const auto last_scan = jpeg.rfind("\xFF\xDA");
            const auto path = save(folder / "x.jpg", jpeg.substr(0, last_scan));
            CHECK_THAT(refusal(path), Catch::StartsWith("truncated"));
            ImageRemarks remarks;
            read_image(path, {.keep_damaged = true}, &remarks);
            CHECK_THAT(remarks.damage, Catch::Contains("damaged"));
        }
}

TEST_CASE("jpeg: Zeros or text in the place of the last rows are no rows") {
    const TemporaryFolder folder;
    const auto photo = make_photo(160, 120);
    for (const bool progressive : {false, true}) {
        const auto jpeg = encode(".jpg", photo, {cv::IMWRITE_JPEG_PROGRESSIVE, progressive});
        std::string text;
        while (text.size() < 20000) text += "<p>504 Gateway Time-out</p>\n";
        for (const auto &tail : {std::string(20000, '\0'), text})
            for (const auto lacking : {500, 1000, 2000}) {
                INFO("progressive " << progressive << ", lacks " << lacking);
                const auto cut = jpeg.substr(0, jpeg.size() - static_cast<std::size_t>(lacking));
                const auto path = save(folder / "x.jpg", cut + tail);
                CHECK_THAT(refusal(path), Catch::StartsWith("truncated"));
                ImageRemarks remarks;
                read_image(path, {.keep_damaged = true}, &remarks);
                CHECK_THAT(remarks.damage, Catch::Contains("damaged"));
            }
    }
}

TEST_CASE("jpeg: An arithmetic one without its end is truncated: what it lacks reads as zeros") {
    const TemporaryFolder folder;
    const auto jpeg = encode_jpeg_as({"arithmetic", JCS_EXT_BGR, JCS_YCbCr, 2, 2, false, true},
                                     make_photo(64, 48));
    CHECK(refusal(save(folder / "x.jpg", jpeg)).empty());
    CHECK_THAT(refusal(save(folder / "x.jpg", jpeg.substr(0, jpeg.size() - 2))),
               Catch::StartsWith("truncated"));
}

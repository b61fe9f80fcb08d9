#include "tests/pictures/make_heif_grid.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

const cv::Size tile(64, 64);
const cv::Size whole(150, 100); // of 3 x 2 tiles, the last of them cut

} // namespace

TEST_CASE("heif: A grid is its tiles side by side, turned by its boxes") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs()) {
        const auto one = encode_heif(make_photo(tile.width, tile.height), codec);
        const Image part = read_image(save(folder / "tile", one));
        for (int quarters = 0; quarters < 4; ++quarters) {
            INFO("codec " << codec << ", turned " << quarters);
            const auto file = heif_grid(one, {3, 2, tile, whole, whole, quarters});
            CHECK(read_image_header(file)->width == 150);
            CHECK(read_image_header(file)->height == 100);
            const Image image = read_image(save(folder / "x.heic", file));
            const bool is_upright = quarters % 2 == 0;
            REQUIRE(image.width == (is_upright ? whole.width : whole.height));
            REQUIRE(image.height == (is_upright ? whole.height : whole.width));
            int wrong = 0;
            for (int y = 0; y < whole.height; ++y)
                for (int x = 0; x < whole.width; ++x) {
                    // from the upright image's pixel to where it is after those turns
                    const int right = whole.width - 1 - x;
                    const int bottom = whole.height - 1 - y;
                    const cv::Point turned[] = {{x, y}, {y, right}, {right, bottom}, {bottom, x}};
                    const cv::Point at = turned[quarters];
                    const int found = image.pixels[at.y * image.width + at.x];
                    const int expected = part.pixels[y % tile.height * tile.width + x % tile.width];
                    if (std::abs(found - expected) > 2) ++wrong; // color is halved once more
                }
            CHECK(wrong < whole.area() / 50);
        }
    }
}

TEST_CASE("heif: A grid that is not of the size in its header is refused") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs()) {
        INFO("codec " << codec);
        const auto one = encode_heif(make_photo(tile.width, tile.height), codec);
        const auto path = folder / "x.heic";
        CHECK(refusal(save(path, heif_grid(one, {3, 2, tile, whole, whole}))).empty());
        CHECK_THAT(refusal(save(path, heif_grid(one, {3, 2, tile, whole, {150, 98}}))),
                   Catch::Contains("gives two sizes"));
        CHECK_THAT(refusal(save(path, heif_grid(one, {3, 2, tile, {140, 100}, whole}))),
                   Catch::Contains("gives two sizes"));
        CHECK_THAT(refusal(save(path, heif_grid(one, {3, 2, tile, {30000, 30000}, whole}))),
                   Catch::Contains("Security limit exceeded"));
    }
}

TEST_CASE("heif: A phone's 48 million pixels take less than the limit of bytes") {
    for (const auto codec : heif_codecs()) {
        const auto one = encode_heif(make_photo(512, 512), codec);
        const cv::Size large(8064, 6048);
        const auto header = read_image_header(heif_grid(one, {16, 12, {512, 512}, large, large}));
        CHECK(header->width == 8064);
        CHECK(header->decoder_bytes + 8064 * 6048 <= ImageLimits::usual_bytes);
    }
}

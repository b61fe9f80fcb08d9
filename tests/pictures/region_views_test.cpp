#include "tests/pictures/make_pictures.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/image_views.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
namespace fs = std::filesystem;

namespace {

ImageViews region_of(const fs::path &path, const ViewRequest &request, const ImageRegion &region) {
    ImageFile file = read_image_file(path, {});
    return decode_region(file, path, {}, request, region);
}

} // namespace

TEST_CASE("image regions: A part is what its own file would be, upright") {
    const TemporaryFolder folder;
    const ViewRequest request{.greys = {{0}, {50}, {400, true}}};
    const ImageRegion region{.x = 31, .y = 12, .width = 140, .height = 77};
    const auto png = save(folder / "x.png", encode(".png", make_photo(300, 200)));
    const auto turned =
        save(folder / "x.jpg", with_orientation(encode(".jpg", make_photo(300, 200)), 6));
    for (const fs::path &path : {png, turned}) {
        const cv::Mat upright = matrix_of(read_image(path, {.max_side = 0}));
        const cv::Mat part = upright(cv::Rect(region.x, region.y, region.width, region.height));
        const auto alone = save(folder / "part.png", encode(".png", part.clone()));
        const ImageViews views = region_of(path, request, region);
        CHECK(views.width == region.width);
        CHECK(views.height == region.height);
        REQUIRE(views.grey.size() == 3);
        for (std::size_t i = 0; i < 3; ++i)
            CHECK(same(matrix_of(views.grey[i]),
                       matrix_of(read_image(alone, {.max_side = request.greys[i].max_side,
                                                    .enlarge = request.greys[i].enlarge}))));
    }
    CHECK(region_of(turned, request, {0, 0, 200, 300}).grey[0].height == 300); // all of it
}

TEST_CASE("image regions: What is not within the image is refused, with its size") {
    const TemporaryFolder folder;
    const auto path = save(folder / "x.png", encode(".png", make_photo(60, 40)));
    constexpr int most = std::numeric_limits<int>::max();
    for (const ImageRegion &region : {ImageRegion{0, 0, 61, 1},
                                      {0, 0, 1, 41},
                                      {60, 0, 1, 1},
                                      {0, 40, 1, 1},
                                      {-1, 0, 5, 5},
                                      {0, -1, 5, 5},
                                      {0, 0, 0, 5},
                                      {0, 0, 5, 0},
                                      {most, 0, most, 1},
                                      {0, most, 1, most}}) {
        CHECK_THROWS_WITH(region_of(path, {.greys = {{0}}}, region), Catch::Contains("60x40"));
        CHECK_THROWS_AS(region_of(path, {.greys = {{0}}}, region), Error);
    }
    CHECK(region_of(path, {.greys = {{0}}}, {59, 39, 1, 1}).grey[0].pixels.size() == 1);
}

TEST_CASE("image regions: A mirror exchanges left and right") {
    const Image image{3, 2, {1, 2, 3, 4, 5, 6}};
    const Image found = mirrored(image);
    CHECK(found.width == 3);
    CHECK(found.height == 2);
    CHECK(found.pixels == std::vector<std::uint8_t>{3, 2, 1, 6, 5, 4});
    CHECK(mirrored(mirrored(image)).pixels == image.pixels);
}

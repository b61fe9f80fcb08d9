// Where descriptors of a device lie: the host's keypoints.
#include "tests/support/extraction.hpp"

#include <algorithm>
#include <tuple>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::vector<Keypoint> by_host(const Recipe &recipe, const std::vector<Image> &images) {
    const auto extractor = make_extractor(recipe);
    std::vector<Keypoint> all;
    for (const Image &image : images)
        for (Keypoint one : extractor->extract(image).keypoints) {
            one.orientation = 0;
            all.push_back(one);
        }
    return all;
}

std::vector<Keypoint> by_device(const Recipe &recipe, const std::vector<Image> &images) {
    const auto device = shared_device();
    const auto extractor = make_device_extractor(device, recipe, true);
    const DeviceImageList list = upload_image_list(*device, images);
    const DeviceDescriptors &found = extract_all(*device, *extractor, list);
    std::vector<Keypoint> all(downloaded(*device, found.count).at(0));
    device->download(std::span(all), found.keypoints);
    return all;
}

/// Those of dense lie size by size on a device, and in each image after image.
void sort_by_place(std::vector<Keypoint> &keypoints) {
    std::ranges::sort(keypoints, [](const Keypoint &a, const Keypoint &b) {
        return std::tuple(a.scale, a.x, a.y, a.response) <
               std::tuple(b.scale, b.x, b.y, b.response);
    });
}

void check_keypoints(Recipe recipe, const std::vector<Image> &images, std::size_t most) {
    recipe.max_descriptors = most;
    recipe = completed(recipe);
    INFO(recipe.extractor << ", " << most << " at most");
    std::vector<Keypoint> expected = by_host(recipe, images);
    std::vector<Keypoint> found = by_device(recipe, images);
    REQUIRE(expected.size() > 1);
    if (recipe.extractor == "dense") sort_by_place(expected);
    if (recipe.extractor == "dense") sort_by_place(found);
    CHECK(found == expected);
}

} // namespace

TEST_CASE("extract: a device finds the host's keypoints, all but their orientations") {
    const std::vector<Image> images = {waves(60, 53, 1), waves(17, 25, 2), noise(48, 61)};
    for (const std::size_t most : {0, 5}) {
        check_keypoints(dense_recipe("16,24", 8), images, most);
        check_keypoints({.extractor = "surf", .threshold = 0.01}, images, most);
    }
}

TEST_CASE("extract: keypoints of a small picture on a device",
          "[oclgrind][dense_keypoints.cl][surf_keypoints.cl]") {
    check_keypoints(dense_recipe("16", 8), {waves(40, 33, 1, 5)}, 0);
    check_keypoints({.extractor = "surf", .threshold = 0.01, .octaves = 1}, {noise(36, 36)}, 4);
}

// SURF: the same bits everywhere, and what it keeps and refuses.
#include "bench/cases/blobs.hpp"
#include "tests/extract/surf_extraction.hpp"
#include "tests/support/extraction.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/extract/device/device_surf.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Of images whose third is of dots; ten of its keypoints, more than there are, and where `also`,
/// one and half.
void check_strongest(const std::vector<Image> &images, bool also) {
    Recipe options = recipe(0.01);
    const std::size_t all = extract(images[2], options).size();
    CHECK(all > 20); // equals by the dozen
    std::vector<std::size_t> mosts = {10, 5 * all};
    if (also) mosts.insert(mosts.end(), {1, all / 2});
    for (const std::size_t most : mosts) {
        INFO(most << " at most");
        options.max_descriptors = most;
        CHECK(same_on_device(options, images)[2].size() == 64 * std::min(most, all));
    }
}

} // namespace

TEST_CASE("surf: the strongest are kept, in their order") {
    const Image image = noise(150, 120);
    Recipe options = recipe();
    const Descriptors all = extract(image, options);
    for (const std::size_t most :
         {std::size_t{1}, std::size_t{10}, all.size() - 1, all.size() + 1}) {
        options.max_descriptors = most;
        const Descriptors few = extract(image, options);
        REQUIRE(few.size() == std::min(most, all.size()));
        const auto weakest = std::ranges::min(few.keypoints, {}, &Keypoint::response).response;
        CHECK(std::ranges::count_if(all.keypoints, [&](const Keypoint &one) {
                  return one.response > weakest;
              }) < static_cast<std::ptrdiff_t>(few.size()));
        auto next = all.keypoints.begin();
        for (std::size_t i = 0; i < few.size(); ++i) {
            next = std::find_if(next, all.keypoints.end(), [&](const Keypoint &one) {
                return one.x == few.keypoints[i].x && one.y == few.keypoints[i].y;
            });
            REQUIRE(next != all.keypoints.end());
            CHECK(std::ranges::equal(
                few.row(i), all.row(static_cast<std::size_t>(next++ - all.keypoints.begin()))));
        }
    }
}

TEST_CASE("surf: pictures without blobs and pictures smaller than a filter have no descriptor") {
    CHECK(extract({0, 0, {}}, recipe()).size() == 0);
    CHECK(extract({1, 1, {7}}, recipe()).size() == 0);
    CHECK(extract({9000, 9, std::vector<std::uint8_t>(9 * 9000, 9)}, recipe()).size() == 0);
    CHECK(extract({64, 64, std::vector<std::uint8_t>(64 * 64, 9)}, recipe()).size() == 0);
}

TEST_CASE("surf: two small pictures on a device",
          "[oclgrind][smooth.cl][surf_halve.cl][surf_integral.cl][surf_respond.cl][surf_find.cl]"
          "[surf_refine.cl][surf_describe.cl]") {
    CHECK(same_on_device(recipe(20), {blobs(70, 75, 1), blobs(37, 45, 2)})[0].size() > 0);
}

TEST_CASE("surf: a device keeps the host's strongest, of equal ones the first") {
    check_strongest(
        {blobs(90, 70, 3), blobs(5, 5, 1), dots(160, 120), dots(160, 120), blobs(64, 50, 4)}, true);
}

TEST_CASE("surf: a device keeps the strongest of small pictures", "[oclgrind][surf_strongest.cl]") {
    check_strongest({blobs(30, 24, 3), blobs(5, 5, 1), dots(60, 50)}, false);
}

TEST_CASE("surf: a device ranks keypoints of all scales as the host does") {
    const std::vector<Image> images = {blobs(300, 240, 2), blobs(240, 300, 5), noise(140, 160)};
    Recipe options = recipe(1);
    for (const std::size_t most : {20, 60, 120}) {
        INFO(most << " at most");
        options.max_descriptors = most;
        for (const auto &found : same_on_device(options, images)) CHECK(found.size() == 64 * most);
    }
}

TEST_CASE("surf: a device that had no room for all keypoints has it when it is asked again") {
    const auto device = shared_device();
    const std::vector<Image> images = {dots(500, 400), noise(120, 150)};
    for (const std::size_t most : {0, 100, 1'000'000}) {
        Recipe options = recipe(0.01);
        options.max_descriptors = most;
        DeviceSurf surf(device, options);
        const auto wanted = [&] {
            std::array<cl_uint, 2> count{};
            device->download<cl_uint>(count,
                                      surf.extract(upload_image_list(*device, images)).count);
            return count[1];
        };
        CHECK(wanted() > 2981); // than there was room for
        const auto found = on_device(surf, *device, images);
        CHECK(wanted() == 0);
        for (std::size_t i = 0; i < images.size(); ++i)
            CHECK(same_bits(found[i], extract(images[i], options).values));
    }
}

TEST_CASE("surf: numbers that make no sense are refused") {
    const auto check = [](auto member, const std::string &option, int value) {
        Recipe options = recipe();
        options.*member = value;
        CHECK_THROWS_WITH(make_surf_extractor(options),
                          Catch::Contains("surf: " + option + " " + std::to_string(value)));
    };
    for (const int octaves : {-1, 0, 9}) check(&Recipe::octaves, "--octaves", octaves);
    for (const int layers : {0, 2, 9}) check(&Recipe::layers, "--layers", layers);
    for (const int size : {0, 3, 10, 12, 39}) check(&Recipe::first_size, "--first-size", size);
}

// The kernels that choose keypoints, by responses that differ in their last bits.
#include "tests/support/levels.hpp"

#include <bowhist/extract/device/device_spread.hpp>
#include <bowhist/extract/spread.hpp>

#include <catch2/catch.hpp>

#include <bit>
#include <random>
#include <span>
#include <vector>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr int side = 3;
constexpr int pixels = 30; // a side

/// Keypoints whose responses are among a few neighboring numbers; most lie in the upper cells.
std::vector<Keypoint> close_keypoints(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Keypoint> all(count);
    for (Keypoint &one : all) {
        one.x = static_cast<float>(random() % pixels);
        one.y = static_cast<float>(random() % (1 + random() % pixels));
        one.response = std::bit_cast<float>(0x3F7FFFFEU + static_cast<unsigned>(random() % 5));
    }
    return all;
}

} // namespace

TEST_CASE("spread: kernels choose among thousands whose responses differ in their last bits") {
    const auto device = shared_device();
    std::vector<std::vector<Keypoint>> images;
    for (const std::size_t count : {0, 1, 15, 16, 17, 255, 256, 257, 4100})
        images.push_back(close_keypoints(count, static_cast<unsigned>(count)));
    std::vector<cl_float> responses;
    std::vector<cl_uchar> cells;
    std::vector<cl_uint> ends;
    for (const auto &image : images) {
        for (const Keypoint &one : image) {
            responses.push_back(one.response);
            cells.push_back(static_cast<cl_uchar>(spread_cell(one.x, one.y, pixels, pixels, side)));
        }
        ends.push_back(static_cast<cl_uint>(responses.size()));
    }
    for (const std::size_t most : {1, 2, 31, 100, 3000}) {
        INFO(most);
        const Recipe recipe{.extractor = "surf", .max_descriptors = most, .spread = side};
        DeviceStrongest strongest(*device, recipe);
        DeviceSpread spread(*device, recipe);
        const auto kept = uploaded<cl_uint>(*device, std::vector<cl_uint>(responses.size(), 1));
        const auto its_responses = uploaded<cl_float>(*device, responses);
        const auto its_ends = uploaded<cl_uint>(*device, ends);
        strongest.keep(*device, its_responses, its_ends, kept);
        spread.keep(*device, its_responses, uploaded<cl_uchar>(*device, cells), its_ends, kept);
        std::vector<cl_uint> found(responses.size());
        device->download(std::span(found), kept);
        std::vector<cl_uint> expected(responses.size());
        for (std::size_t i = 0; i < images.size(); ++i)
            for (const std::size_t place : kept_places(images[i], recipe, pixels, pixels))
                expected[ends[i] - images[i].size() + place] = 1;
        CHECK(found == expected);
    }
}

#include <bowhist/library/places.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <random>

using namespace bowhist;

TEST_CASE("places: Five bytes keep every place") {
    std::mt19937 random(1);
    for (int i = 0; i < 1000; ++i) {
        const Place place{static_cast<std::uint16_t>(random() % 4096),
                          static_cast<std::uint16_t>(random() % 4096),
                          static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(random())};
        std::string bytes;
        append_place(bytes, place);
        REQUIRE(bytes.size() == place_bytes);
        CHECK(read_place(bytes) == place);
    }
}

TEST_CASE("places: A keypoint comes back within half a step") {
    std::mt19937 random(2);
    const auto uniform = [&](float from, float to) {
        return std::uniform_real_distribution<float>(from, to)(random);
    };
    constexpr int width = 512;
    constexpr int height = 341;
    for (int i = 0; i < 1000; ++i) {
        const Keypoint keypoint{.x = uniform(-0.5F, width - 0.5F),
                                .y = uniform(-0.5F, height - 0.5F),
                                .scale = uniform(0.6F, 80),
                                .orientation = uniform(-3.14F, 3.14F)};
        const Keypoint found = keypoint_at(place_of(keypoint, width, height), width, height);
        CHECK(std::abs(found.x - keypoint.x) <= 0.5F * width / 4096 + 1e-4F);
        CHECK(std::abs(found.y - keypoint.y) <= 0.5F * height / 4096 + 1e-4F);
        CHECK(std::abs(std::log2(found.scale / keypoint.scale)) <= 1.0F / 48 + 1e-4F);
        const auto turn =
            std::remainder(found.orientation - keypoint.orientation, 2 * std::numbers::pi_v<float>);
        CHECK(std::abs(turn) <= std::numbers::pi_v<float> / 256 + 1e-4F);
    }
}

TEST_CASE("places: What lies outside is moved to the edge") {
    CHECK(place_of({.x = -3, .y = 900, .scale = 0.1F}, 100, 100) == Place{0, 4095, 0, 0});
    CHECK(place_of({.x = 100, .y = 0, .scale = 1e9F}, 100, 100).x == 4095);
    CHECK(place_of({.x = 100, .y = 0, .scale = 1e9F}, 100, 100).scale == 255);
}

TEST_CASE("places: A mirrored keypoint has the mirrored place") {
    std::mt19937 random(3);
    constexpr int width = 400;
    for (int i = 0; i < 1000; ++i) {
        const auto x = static_cast<float>(random() % 399) + 0.3F;
        const auto angle = static_cast<float>(random() % 600) / 100 - 3;
        const Place place = place_of({.x = x, .scale = 2, .orientation = angle}, width, width);
        const Place mirrored = place_of(
            {.x = width - 1 - x, .scale = 2, .orientation = std::numbers::pi_v<float> - angle},
            width, width);
        CHECK(std::abs(mirrored.x - (4095 - place.x)) <= 1);
        const int turn = (mirrored.angle + place.angle + 128) & 255;
        CHECK((turn == 0 || turn == 1 || turn == 255));
    }
}

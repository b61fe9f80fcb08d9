#include <bowhist/duplicates/shared_geometry.hpp>

#include <catch2/catch.hpp>

#include <random>

namespace bowhist {
namespace {

constexpr int side = 512; ///< of both images, and of what is described
constexpr std::size_t strange = 30;

/// Two images of words that both have, each once: some move with one of two sides of a thing, the
/// others lie anywhere.
SharedGeometry geometry_of(std::size_t left, std::size_t right, unsigned seed) {
    std::mt19937 random(seed);
    const auto any = [&random](int least, int most) {
        return static_cast<std::uint16_t>(least + int(random() % unsigned(most - least)));
    };
    Library::Words first, second;
    for (std::uint32_t word = 0; word < left + right + strange; ++word) {
        const bool is_left = word < left, is_right = !is_left && word < left + right;
        Place place{any(is_right ? 2400 : 800, is_right ? 4000 : 2200), any(100, 4000), 100,
                    static_cast<std::uint8_t>(random())};
        first.words.push_back(word);
        first.places.push_back(place);
        if (is_left) place.x = static_cast<std::uint16_t>(place.x - 700);
        if (is_right) place.x = static_cast<std::uint16_t>(place.x - 100);
        if (!is_left && !is_right) {
            place = {any(0, 4096), any(0, 4096), static_cast<std::uint8_t>(random()),
                     static_cast<std::uint8_t>(random())};
        }
        second.words.push_back(word);
        second.places.push_back(place);
    }
    const Recipe recipe{.extractor = "surf", .max_side = side};
    return shared_geometry({first, side, side, recipe}, {second, side, side, recipe}, false);
}

TEST_CASE("shared geometry: one map says that a thing is the same") {
    const SharedGeometry shared = geometry_of(40, 0, 1);
    CHECK(shared.one_map_agrees());
    CHECK(shared.maps_agree());
    CHECK(shared.all_places == shared.places);
    CHECK(shared.map.tx == Approx(-700.0 * side / 4096).margin(1));
}

TEST_CASE("shared geometry: two sides of a thing agree with two maps") {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const SharedGeometry one = geometry_of(11, 0, seed);
        CHECK(!one.maps_agree());
        const SharedGeometry shared = geometry_of(11, 11, seed);
        CHECK(!shared.one_map_agrees());
        CHECK(shared.maps_agree());
    }
}

TEST_CASE("shared geometry: words that lie anywhere agree with no map") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        const SharedGeometry shared = geometry_of(0, 0, seed);
        CHECK(shared.all_log_chance > -10);
        CHECK(!shared.maps_agree());
    }
}

} // namespace
} // namespace bowhist

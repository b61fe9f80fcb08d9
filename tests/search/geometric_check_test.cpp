#include <bowhist/search/geometric_check.hpp>
#include <bowhist/search/search_query.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

struct Point {
    double x = 0, y = 0;
};

Point mapped(const AffineMap &map, const Point &at) {
    return {map.a11 * at.x + map.a12 * at.y + map.tx, map.a21 * at.x + map.a22 * at.y + map.ty};
}

Recipe recipe_of(int side, bool enlarge) {
    Recipe recipe;
    recipe.max_side = side;
    recipe.enlarge = enlarge;
    return recipe;
}

Library::Words drawn_words() {
    std::mt19937 random(3);
    Library::Words words;
    for (std::uint32_t word = 0; word < 150; ++word) {
        words.words.push_back(word);
        words.places.push_back({static_cast<std::uint16_t>(random() % 4096),
                                static_cast<std::uint16_t>(random() % 4096),
                                static_cast<std::uint8_t>(90 + random() % 60),
                                static_cast<std::uint8_t>(random())});
    }
    return words;
}

FoundImage checked(const std::string &path, std::optional<std::size_t> agree) {
    FoundImage image{.path = path};
    if (agree) image.place = FoundPlace{*agree, {}};
    return image;
}

} // namespace

TEST_CASE("placed images: words lie where they do in the size that is described") {
    const Library::Words words{{5}, {{1024, 3072, 7, 9}}};
    struct Size {
        int width, height;
        bool enlarge;
        double scale;
    };
    for (const Size &size :
         {Size{1000, 600, false, 1000 / 512.0}, Size{600, 1000, true, 1000 / 512.0},
          Size{256, 128, false, 1.0}, Size{256, 128, true, 0.5}}) {
        const PlacedImage image(words, size.width, size.height, recipe_of(512, size.enlarge));
        CHECK(image.scale() == size.scale);
        const PlacedWord &word = image.words().at(0);
        CHECK(word.word == 5);
        CHECK(word.x == Approx(1024.5 / 4096 * size.width / size.scale - 0.5));
        CHECK(word.y == Approx(3072.5 / 4096 * size.height / size.scale - 0.5));
        CHECK(word.scale == 7);
        CHECK(word.angle == 9);
    }
}

TEST_CASE("geometric check: a map is of the originals, whatever size was described") {
    const Library::Words words = drawn_words();
    for (const bool enlarge : {false, true}) {
        const Recipe recipe = recipe_of(512, enlarge);
        const PlacedImage first(words, 1600, 1200, recipe);
        const PlacedImage second(words, 400, 300, recipe); // the same, a quarter as large
        const FoundPlace place = find_place(first, second);
        CHECK(place.agree > 100);
        for (const Point &at : {Point{0, 0}, {1599, 0}, {700, 1100}}) {
            const Point there = mapped(place.map, at);
            CHECK(there.x == Approx((at.x + 0.5) / 4 - 0.5).margin(0.1));
            CHECK(there.y == Approx((at.y + 0.5) / 4 - 0.5).margin(0.1));
        }
        CHECK(place.pairs.size() == place.agree);
        for (const AgreeingPair &pair : place.pairs) { // within half a step of 4096 of each side
            CHECK(pair.found_x == Approx((pair.x + 0.5) / 4 - 0.5).margin(0.1));
            CHECK(pair.found_y == Approx((pair.y + 0.5) / 4 - 0.5).margin(0.1));
        }
    }
    CHECK(find_place(PlacedImage({}, 9, 9, {}), PlacedImage(words, 9, 9, {})) == FoundPlace{});
}

TEST_CASE("geometric check: those that agree come first, the others stay") {
    std::vector<FoundImage> found{checked("a", 3),  checked("b", 12), checked("c", 0),
                                  checked("d", 40), checked("e", 11), checked("f", 12),
                                  checked("g", {})};
    put_agreeing_first(found);
    std::string order;
    for (const FoundImage &image : found) order += image.path;
    CHECK(order == "dbfaceg");
}

TEST_CASE("views of a query: their maps are those of the original") {
    const AffineMap map{1.5, -0.25, 10, 0.5, 2, -30};
    for (const bool is_mirrored : {false, true}) {
        const QueryView view{
            .width = 300, .height = 200, .left = 40, .top = 70, .mirrored = is_mirrored};
        for (const Point &at : {Point{40, 70}, {339, 269}, {100.5, 201.25}}) {
            Point inside{at.x - view.left, at.y - view.top};
            if (is_mirrored) inside.x = view.width - 1 - inside.x;
            const Point right = mapped(map, inside);
            const Point found = mapped(view.of_original(map), at);
            CHECK(found.x == Approx(right.x));
            CHECK(found.y == Approx(right.y));
            const FoundPlace place =
                view.of_original(FoundPlace{1, map, {{inside.x, inside.y, right.x, right.y}}});
            CHECK(place.map == view.of_original(map));
            CHECK(place.pairs == std::vector<AgreeingPair>{{at.x, at.y, right.x, right.y}});
        }
    }
}

TEST_CASE("views of a query: what they can be compared by") {
    QueryView view;
    view.code.assign(4, 0);
    CHECK_FALSE(view.has_descriptors(true, true));
    view.code[3] = -1;
    CHECK(view.has_descriptors(true, true));
    CHECK_FALSE(view.has_descriptors(true, false));
    view.words.words = {2, 2, 2, 7, 9, 9};
    CHECK(view.has_descriptors(true, false));
    CHECK(view.image().words == std::vector<WordCount>{{2, 3}, {7, 1}, {9, 2}});
    CHECK(view.image().code == view.code);
}

} // namespace bowhist

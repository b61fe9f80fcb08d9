// Groups that a user edited, and what is new in them.
#include <bowhist/group/kept_numbers.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;

namespace {

using Groups = std::vector<std::int32_t>;

/// The images that were moved, by their places.
std::vector<std::size_t> moved(const Groups &found, const Groups &before) {
    std::vector<std::size_t> places;
    const auto flags = moved_by_hand(found, before);
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i]) places.push_back(i);
    return places;
}

using Places = std::vector<std::size_t>;

} // namespace

TEST_CASE("moved by hand: images whose group is another than the one that was found") {
    const Groups found{0, 0, 0, 1, 1, 1, -1};
    CHECK(moved(found, found).empty());
    CHECK(moved(found, {1, 0, 0, 1, 1, 1, -1}) == Places{0});
    CHECK(moved(found, {1, 1, 0, 1, 1, 1, -1}) == Places{0, 1}); // most of a group
    CHECK(moved(found, {5, 5, 0, 1, 1, 1, -1}) == Places{0, 1}); // into a group of their own
    CHECK(moved(found, {0, 0, 0, 1, 1, 1, 1}) == Places{6});     // from nowhere
    CHECK(moved(found, {0, 0, -1, 1, 1, 1, -1}).empty());        // to nowhere: is grouped again
    CHECK(moved({}, {}).empty());
}

TEST_CASE("moved by hand: a number that was changed and groups put together move nothing") {
    const Groups found{0, 0, 0, 1, 1, 1};
    CHECK(moved(found, {7, 7, 7, 1, 1, 1}).empty());
    CHECK(moved(found, {1, 1, 1, 0, 0, 0}).empty());
    CHECK(moved(found, {1, 1, 1, 1, 1, 1}).empty());
    CHECK(moved(found, {7, 7, 1, 1, 1, 1}) == Places{2}); // renamed, and one moved
}

TEST_CASE("moved by hand: the only image of a group, where it is with others now") {
    const Groups found{0, 0, 0, 1, 2, -1};
    CHECK(moved(found, {0, 0, 0, 0, 2, -1}) == Places{3});
    CHECK(moved(found, {0, 0, 0, 7, 2, -1}).empty());         // another number
    CHECK(moved(found, {0, 0, 0, 2, 1, -1}).empty());         // and two that were exchanged
    CHECK(moved(found, {0, 0, 0, 9, 9, -1}) == Places{3, 4}); // two that were put together
    CHECK(moved(found, {0, 0, 0, -1, 2, -1}).empty());
    CHECK(moved(found, {1, 0, 0, 1, 2, -1}) == Places{0}); // one that came to it
}

TEST_CASE("new images: how many each group got, the most first") {
    const Groups group{0, 3, 3, 0, -1, 3};
    CHECK(new_images({false, false, false, false, false, false}, group).empty());
    CHECK(new_images({}, group).empty());
    CHECK(new_images({true, false, false, false, false, false}, group) ==
          "1 new picture: 1 in group 0");
    CHECK(new_images({true, true, true, false, true, true}, group) ==
          "5 new pictures: 3 in group 3, 1 nowhere, 1 in group 0");
    Groups many(24);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int32_t>(i / 2);
    const std::string line = new_images(std::vector<bool>(24, true), many);
    CHECK_THAT(line, Catch::StartsWith("24 new pictures: 2 in group 0, 2 in group 1") &&
                         Catch::EndsWith("2 in group 9, 2 more groups"));
}

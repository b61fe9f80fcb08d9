#include <bowhist/duplicates/pages.hpp>

#include <catch2/catch.hpp>

namespace bowhist {
namespace {

TEST_CASE("page families: what differs from one differs from its whole family") {
    PageFamilies families;
    families.add_same(1, 2);
    families.add_same(5, 6);
    CHECK(!families.differ(2, 6));
    families.add_different(1, 6);
    CHECK(families.differ(2, 5));
    CHECK(families.differ(5, 2));
    families.add_same(6, 9); // joins later
    CHECK(families.differ(9, 1));
    families.add_same(0, 2); // a lower image becomes the family's name
    CHECK(families.differ(0, 9));
    CHECK(families.differ(9, 0));
    CHECK(!families.differ(0, 1));
    CHECK(!families.differ(3, 9));
}

TEST_CASE("page families: families that differ are never joined") {
    PageFamilies families;
    families.add_different(1, 2);
    families.add_same(1, 2);
    CHECK(families.family_of(1) != families.family_of(2));
    families.add_same(2, 3);
    families.add_same(3, 1);
    CHECK(families.differ(1, 3));
    families.add_different(2, 3); // of one family: nothing
    CHECK(!families.differ(2, 3));
}

} // namespace
} // namespace bowhist

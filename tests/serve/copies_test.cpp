#include <bowhist/serve/answers.hpp>
#include <bowhist/serve/copies.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;

namespace {

/// A group in which each image is held against the one of that place.
DuplicateGroup group_of(const std::vector<std::size_t> &with) {
    DuplicateGroup group;
    for (std::size_t i = 0; i < with.size(); ++i) {
        Duplicate image;
        image.image.id = static_cast<std::int64_t>(i);
        image.image.hash = std::string(16, static_cast<char>('a' + i));
        image.with = with[i];
        image.kept = i == 0;
        group.images.push_back(image);
    }
    return group;
}

NotSame pair_of(char one, char other) {
    return {{std::string(16, one), std::string(16, other)}};
}

std::vector<std::vector<std::int64_t>> ids_of(const Duplicates &found) {
    std::vector<std::vector<std::int64_t>> ids;
    for (const DuplicateGroup &group : found.groups) {
        ids.emplace_back();
        for (const Duplicate &image : group.images) {
            ids.back().push_back(image.image.id);
            CHECK(image.with < group.images.size());
        }
        CHECK(group.images.front().with == 0);
        CHECK(group.images.front().kept);
    }
    return ids;
}

using Ids = std::vector<std::vector<std::int64_t>>;

} // namespace

TEST_CASE("a copy that is not the same leaves its group") {
    const Duplicates found{.groups = {group_of({0, 0, 0})}, .images = 3};
    CHECK(ids_of(without(found, pair_of('a', 'b'))) == Ids{{0, 2}});
    CHECK(ids_of(without(found, {})) == Ids{{0, 1, 2}});
    CHECK(without(found, {}).images == 3);
}

TEST_CASE("what is held against it goes with it") {
    const Duplicates found{.groups = {group_of({0, 0, 1, 0})}, .images = 4};
    CHECK(ids_of(without(found, pair_of('a', 'b'))) == Ids{{0, 3}, {1, 2}});
}

TEST_CASE("two images that differ are no group, and no other group changes") {
    Duplicates found{.groups = {group_of({0, 0})}, .images = 4};
    CHECK(without(found, pair_of('a', 'b')).groups.empty());
    CHECK(ids_of(without(found, pair_of('b', 'c'))) == Ids{{0, 1}});
}

TEST_CASE("a best copy that is not the first of its part comes first there") {
    const Duplicates found{.groups = {group_of({0, 3, 3, 0})}, .images = 4};
    CHECK(ids_of(without(found, pair_of('a', 'd'))) == Ids{{3, 1, 2}});
}

TEST_CASE("a picture in no group no longer resembles what it differs from") {
    Duplicates found{.groups = {}, .images = 3};
    ApartImage apart{.image = group_of({0}).images[0].image};
    const DuplicateGroup others = group_of({0, 0, 0});
    apart.kinds.ambiguous = true;
    apart.with = {others.images[1].image, others.images[2].image};
    found.apart = {apart};
    CHECK(without(found, {}).apart.size() == 1);
    const Duplicates rest = without(found, pair_of('a', 'b'));
    REQUIRE(rest.apart.size() == 1);
    REQUIRE(rest.apart[0].with.size() == 1);
    CHECK(rest.apart[0].with[0].id == 2);
    CHECK(without(rest, pair_of('a', 'c')).apart.empty());
}

TEST_CASE("the API lists pictures in no group, and what was compared") {
    Duplicates found{.groups = {group_of({0, 0})}, .images = 3};
    found.groups[0].images[1].compared = 480;
    ApartImage apart{.image = group_of({0}).images[0].image, .score = 0.5, .compared = 96};
    apart.image.path = "photos/c\xff.jpg";
    apart.kinds.collage = true;
    apart.with = {group_of({0, 0}).images[1].image, group_of({0, 0, 0}).images[2].image};
    found.apart = {apart, apart};
    const std::string text = json_of(found);
    CHECK(text.find(R"("compared":480}]],"apart":[)") != text.npos);
    const std::string row = R"({"id":0,"image":"photos/c\udcff.jpg","kind":"collage",)"
                            R"("with":[1,2],"score":0.500000,"compared":96})";
    CHECK(text.find("[" + row + "," + row + "]}") != text.npos);
}

#include <bowhist/duplicates/scene_groups.hpp>

#include <catch2/catch.hpp>

namespace bowhist {
namespace {

bool neither(std::uint32_t, std::uint32_t) {
    return false;
}
bool is_lower(std::uint32_t a, std::uint32_t b) {
    return a < b;
}

TEST_CASE("scene groups: a panorama is one group, around its middle") {
    const std::vector<CopyEdge> chain{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}};
    const auto groups = scene_groups(5, chain, neither, is_lower);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].best == 2);
    CHECK(groups[0].members.size() == 4);
}

TEST_CASE("scene groups: a longer one is cut") {
    std::vector<CopyEdge> chain;
    for (std::uint32_t i = 0; i + 1 < 12; ++i) chain.push_back({i, i + 1, 1});
    std::size_t grouped = 0;
    for (const CopyGroup &group : scene_groups(12, chain, neither, is_lower)) {
        CHECK(group.members.size() <= 4);
        grouped += 1 + group.members.size();
    }
    CHECK(grouped <= 12);
    CHECK(grouped >= 10);
}

TEST_CASE("scene groups: what is kept comes first, however few agree with it") {
    const std::vector<CopyEdge> star{{0, 1, 1}, {0, 2, 1}, {0, 3, 1}};
    CHECK(scene_groups(4, star, neither, is_lower)[0].best == 0);
    const auto third_first = [](std::uint32_t a, std::uint32_t b) { return a == 3 && b != 3; };
    const auto groups = scene_groups(4, star, third_first, is_lower);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].best == 3);
}

TEST_CASE("scene groups: of images that as many agree with the better is the best") {
    const std::vector<CopyEdge> triangle{{0, 1, 1}, {0, 2, 1}, {1, 2, 1}};
    const auto is_higher = [](std::uint32_t a, std::uint32_t b) { return a > b; };
    CHECK(scene_groups(3, triangle, neither, is_lower)[0].best == 0);
    CHECK(scene_groups(3, triangle, neither, is_higher)[0].best == 2);
}

} // namespace
} // namespace bowhist

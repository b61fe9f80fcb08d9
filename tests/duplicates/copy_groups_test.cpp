#include <bowhist/duplicates/copy_groups.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

namespace bowhist {
namespace {

std::uint32_t lowest(std::span<const std::uint32_t> images) {
    return images.front();
}

std::vector<CopyEdge> random_edges(std::size_t images, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    while (pairs.size() < count) {
        const auto a = static_cast<std::uint32_t>(random() % images);
        const auto b = static_cast<std::uint32_t>(random() % images);
        if (a != b) pairs.insert(std::minmax(a, b));
    }
    std::vector<CopyEdge> edges;
    for (const auto &[a, b] : pairs) edges.push_back({a, b, static_cast<double>(random() % 100)});
    return edges;
}

/// The lower number is the better one, and stands for all with the same rest by `kinds`.
CopyOrder order_of(std::uint32_t kinds) {
    return {.best_of = lowest, .stands_for = [kinds](std::uint32_t one, std::uint32_t other) {
                return one % kinds == other % kinds;
            }};
}

TEST_CASE("copy groups: every member agrees with the best, and goes if that stands for it") {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const auto edges = random_edges(60, 10 + seed * 3, seed);
        const auto agree = [&edges](std::uint32_t a, std::uint32_t b) {
            return std::ranges::any_of(edges, [&](const CopyEdge &edge) {
                return edge.first == std::min(a, b) && edge.second == std::max(a, b);
            });
        };
        const CopyOrder order = order_of(2);
        std::set<std::uint32_t> grouped;
        for (const CopyGroup &group : copy_groups(60, edges, order)) {
            CHECK(grouped.insert(group.best).second);
            CHECK(!group.members.empty());
            for (const auto &[image, with, goes] : group.members) {
                CHECK(grouped.insert(image).second);
                CHECK(with == group.best);
                CHECK(agree(image, with));
                CHECK((!goes || order.stands_for(with, image)));
            }
        }
    }
}

TEST_CASE("copy groups: a chain is no group") {
    const std::vector<CopyEdge> chain{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}};
    const auto groups = copy_groups(5, chain, order_of(1));
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].best == 0);
    CHECK(groups[0].members.size() == 1);
    CHECK(groups[1].best == 2);
    CHECK(groups[1].members.size() == 1);
}

TEST_CASE("copy groups: an image that nothing stands for stays with what it agrees with most") {
    const std::vector<CopyEdge> edges{{0, 1, 0.5}, {0, 3, 0.7}, {1, 2, 0.9}};
    const auto groups = copy_groups(4, edges, order_of(2)); // 0 and 2, 1 and 3 might go
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].best == 0);
    REQUIRE(groups[0].members.size() == 1);
    CHECK(groups[0].members[0].image == 3);
    CHECK(!groups[0].members[0].goes);
    CHECK(groups[1].best == 1);
    REQUIRE(groups[1].members.size() == 1);
    CHECK(groups[1].members[0].image == 2);
}

TEST_CASE("copy groups: components are what a plain search finds") {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const auto edges = random_edges(50, 25, seed);
        std::vector<std::uint32_t> label(50);
        for (std::uint32_t i = 0; i < 50; ++i) label[i] = i;
        for (int round = 0; round < 50; ++round)
            for (const CopyEdge &edge : edges)
                label[edge.first] = label[edge.second] =
                    std::min(label[edge.first], label[edge.second]);
        for (const auto &some : components(50, edges)) {
            CHECK(some.size() > 1);
            CHECK(std::ranges::is_sorted(some));
            for (std::uint32_t i = 0; i < 50; ++i)
                CHECK((std::ranges::count(some, i) == 1) == (label[i] == label[some.front()]));
        }
    }
}

} // namespace
} // namespace bowhist

#include <bowhist/compare/best_images.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>

namespace bowhist {
namespace {

std::vector<ScoredImage> drawn(unsigned seed, std::size_t count, int scores) {
    std::mt19937 random(seed);
    std::vector<ScoredImage> images;
    for (std::uint32_t i = 0; i < count; ++i)
        images.push_back({i, std::int64_t(random() % static_cast<unsigned>(scores)) - scores / 2});
    std::ranges::shuffle(images, random);
    return images;
}

/// All in order, up to the last that equals the one at `most`.
std::vector<ScoredImage> expected(std::vector<ScoredImage> all, std::size_t most) {
    std::ranges::sort(all, [](const ScoredImage &a, const ScoredImage &b) {
        return std::pair(-a.score, a.image) < std::pair(-b.score, b.image);
    });
    while (all.size() > most && all.back().score < all[most - 1].score) all.pop_back();
    return all;
}

} // namespace

TEST_CASE("BestImages: what is kept is the start of all in order") {
    for (const std::size_t most : {1, 2, 7, 100, 2000})
        for (const int scores : {1, 5, 1000000}) {
            const auto all = drawn(static_cast<unsigned>(most), 1000, scores);
            BestImages best(most), first(most), second(most);
            for (std::size_t i = 0; i < all.size(); ++i) {
                best.add(all[i]);
                (i % 3 == 0 ? first : second).add(all[i]);
            }
            first.add(second);
            CHECK(best.sorted() == expected(all, most));
            CHECK(first.sorted() == expected(all, most));
        }
}

TEST_CASE("BestImages: the limit is never above the score of one that belongs to the best") {
    const auto all = drawn(3, 500, 40);
    BestImages best(10);
    std::vector<ScoredImage> so_far;
    for (const ScoredImage &image : all) {
        best.add(image);
        so_far.push_back(image);
        const auto right = expected(so_far, 10);
        if (so_far.size() >= 10) CHECK(best.limit() <= right[9].score);
    }
}

TEST_CASE("best_of: several answers are as one with the highest scores") {
    constexpr std::size_t most = 8;
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::vector<std::vector<ScoredImage>> answers;
        std::map<std::uint32_t, std::int64_t> highest;
        for (unsigned view = 0; view < 3; ++view) {
            const auto all = drawn(10 * seed + view, 60, 30);
            answers.push_back(expected(all, most));
            for (const ScoredImage &image : all) {
                const auto [at, is_new] = highest.try_emplace(image.image, image.score);
                at->second = std::max(at->second, image.score);
            }
        }
        std::vector<ScoredImage> joined;
        for (const auto &[image, score] : highest) joined.push_back({image, score});
        auto found = best_of(answers);
        const auto right = expected(joined, most);
        REQUIRE(found.size() >= right.size());
        found.resize(right.size());
        CHECK(found == right);
    }
    CHECK(best_of({}).empty());
}

} // namespace bowhist

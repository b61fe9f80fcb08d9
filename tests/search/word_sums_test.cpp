#include "tests/support/only_target.hpp"

#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/compare/word_adder.hpp>
#include <bowhist/compare/word_sums.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

constexpr std::uint32_t words = 300;

/// @param most  of a count
std::vector<WordCount> draw_image(std::mt19937 &random, std::uint32_t most) {
    std::vector<WordCount> image;
    for (std::uint32_t word = 0; word < words; ++word)
        if (random() % 2 == 0)
            image.push_back({word, 1 + static_cast<std::uint32_t>(random()) % most});
    return image;
}

WordIndex index_of(std::uint32_t most) {
    std::mt19937 random(most);
    std::vector<std::vector<WordCount>> images;
    LevelFrequencies frequencies(words);
    for (std::size_t i = 0; i < WordIndex::block_images; ++i) {
        images.push_back(draw_image(random, most));
        frequencies.add(images.back());
    }
    WordIndex index(frequencies.rows());
    for (const auto &image : images) index.add(image);
    index.finish();
    return index;
}

/// Returns the largest sum.
template <typename Sum>
Sum check(AddBitmaps<Sum> add, const WordQuery &query, const WordIndex &index) {
    const auto scratch =
        allocate_aligned<std::uint64_t>(query.order().results() * WordIndex::block_words);
    std::vector<Sum> sums(WordIndex::block_images, 9), plain(WordIndex::block_images);
    add(query, index.block(0, 0), scratch.get(), sums.data());
    add_bitmaps_plainly(query, index.block(0, 0), nullptr, plain.data());
    CHECK(sums == plain);
    return std::ranges::max(plain);
}

} // namespace

TEST_CASE("sums of words: each vector unit's are the plain ones") {
    const WordMeasure measure(Normalization::none, {});
    testing::for_each_target([&](const std::string &target) {
        INFO(target);
        for (const std::uint32_t most : {1U, 3U, 250U}) {
            const WordIndex index = index_of(most);
            std::mt19937 random(5);
            for (int q = 0; q < 3; ++q) {
                const WordQuery query(measure, index.rows(), draw_image(random, most));
                if (most <= 3) check(add_bitmaps_16(), query, index);
                const std::uint32_t largest = check(add_bitmaps_32(), query, index);
                CHECK((most <= 3 || largest > 0xFFFF));
            }
        }
    });
}

TEST_CASE("sums of words: of a query without words they are zero") {
    const WordMeasure measure(Normalization::none, {});
    const WordIndex index = index_of(3);
    const WordQuery query(measure, index.rows(), {});
    check(add_bitmaps_16(), query, index);
    check(add_bitmaps_32(), query, index);
}

} // namespace bowhist

#include <bowhist/compare/spread_query.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

/// Of a vocabulary of k, words in steps from 0 or 1 on, each by chance.
std::vector<WordCount> draw_image(std::mt19937 &random, std::uint32_t k, std::uint32_t step) {
    std::vector<WordCount> image;
    for (std::uint32_t word = random() % std::min(step, 2U); word < k; word += step)
        if (random() % 2 == 0)
            image.push_back({word, 1 + static_cast<std::uint32_t>(random()) % 300});
    return image;
}

} // namespace

TEST_CASE("spread queries: one after another, of any vocabulary") {
    // the last one's words share bits: 32768 lie between them
    constexpr std::pair<std::uint32_t, std::uint32_t> kinds[] = {
        {500, 1}, {32'768, 90}, {32'769, 90}, {200'000, 500}, {300'000, 16'384}};
    const WordMeasure measure(Normalization::hellinger, {});
    for (const auto &[k, step] : kinds) {
        std::mt19937 random(k);
        WordRows rows{{0}};
        for (std::uint32_t word = 0; word < k; ++word) // some have bitmaps, of up to two levels
            rows.first.push_back(rows.first.back() + (word % step == 1 ? 1 + word % 2 : 0));
        rows.listed_windows = 0;
        WordIndex index(rows);
        std::vector<std::vector<WordCount>> images;
        for (int i = 0; i < 20; ++i) {
            images.push_back(draw_image(random, k, step));
            index.add(images.back());
        }
        index.finish();
        SpreadQuery spread(measure, k);
        for (int q = 0; q < 6; ++q) {
            const auto words = draw_image(random, k, step);
            const WordQuery query(measure, rows, words);
            spread.set(query);
            for (std::size_t i = 0; i < images.size(); ++i) {
                std::uint64_t by_bitmaps = 0;
                for (const auto &[offset, weight] : query.bitmaps())
                    by_bitmaps += (index.block(0, 0)[offset] >> i & 1U) * weight;
                if (by_bitmaps + spread.product_of_excess(index, i) !=
                    product(measure, words, images[i]))
                    FAIL(k << " " << q << " " << i);
            }
        }
    }
}

} // namespace bowhist

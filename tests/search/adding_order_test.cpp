#include <bowhist/compare/word_index.hpp>
#include <bowhist/compare/word_query.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <functional>
#include <random>

namespace bowhist {
namespace {

constexpr std::uint32_t row = WordIndex::block_words;

/// A block of bitmaps, of which only the first 64 bits count.
struct Drawn {
    std::vector<std::uint64_t> bits;
    std::vector<WeightedBitmap> bitmaps;

    Drawn(std::uint32_t count, const std::function<std::uint32_t(std::mt19937 &)> &weight) {
        std::mt19937 random(count);
        bits.resize(count * row);
        for (std::uint32_t i = 0; i < count; ++i) {
            bits[i * row] = std::uint64_t{random()} << 32U | random();
            bitmaps.push_back({i * row, weight(random)});
        }
    }

    std::uint64_t sum(std::size_t image) const {
        std::uint64_t sum = 0;
        for (const auto &[offset, weight] : bitmaps) sum += (bits[offset] >> image & 1U) * weight;
        return sum;
    }
};

/// The first 64 images' results, by the order's piles, as a counter of eights adds them.
std::vector<std::uint64_t> results_of(const AddingOrder &order, const Drawn &drawn) {
    std::vector<std::uint64_t> results = {0};
    std::size_t at = 0;
    for (const AddingOrder::Pile &pile : order.piles()) {
        std::uint64_t ones = 0, twos = 0, fours = 0;
        const std::size_t of_block = AddingOrder::at_once * pile.of_block + pile.mixed;
        const std::uint32_t count = pile.of_block + (pile.mixed > 0 ? 1 : 0) + pile.of_results;
        std::size_t in_pile = 0;
        for (std::uint32_t eight = 0; eight < count; ++eight) {
            std::uint64_t eights = 0;
            for (std::size_t i = 0; i < AddingOrder::at_once; ++i) {
                const std::uint32_t from = order.inputs()[at++];
                const std::uint64_t bits =
                    in_pile++ < of_block ? drawn.bits.at(from) : results.at(from / row);
                const std::uint64_t two = ones & bits;
                const std::uint64_t four = twos & two;
                eights |= fours & four; // of eight inputs at most one goes beyond
                ones ^= bits;
                twos ^= two;
                fours ^= four;
            }
            results.push_back(eights);
        }
        results.insert(results.end(), {ones, twos, fours});
    }
    CHECK(at == order.inputs().size());
    return results;
}

void check(const Drawn &drawn) {
    const AddingOrder order(drawn.bitmaps);
    const std::vector<std::uint64_t> results = results_of(order, drawn);
    REQUIRE(results.size() == order.results());
    for (std::size_t image = 0; image < 64; ++image) {
        std::uint64_t sum = 0;
        for (std::size_t p = 0; p < order.planes().size(); ++p)
            sum += (results.at(order.planes()[p] / row) >> image & 1U) << (order.first_plane() + p);
        if (sum != drawn.sum(image)) FAIL(drawn.bitmaps.size() << " " << image);
    }
}

} // namespace

TEST_CASE("order of adding: its planes are the sums") {
    const std::array<std::uint32_t, 5> few = {64, 88, 24, 33, 112};
    for (const std::uint32_t count : {0, 1, 7, 8, 9, 70, 300}) {
        check({count, [](std::mt19937 &) { return 1; }});
        check({count, [](std::mt19937 &) { return 96; }});
        check({count, [](std::mt19937 &random) { return random() % 3 + 1; }});
        check({count, [&](std::mt19937 &random) { return few[random() % few.size()]; }});
        check({count, [](std::mt19937 &random) { return random() % 5000 + 1; }});
        check({count, [](std::mt19937 &) { return 0x7FFFFFU; }});
    }
}

TEST_CASE("order of adding: sums have no more planes than they can have bits") {
    for (const std::uint32_t weight : {1U, 12U, 88U}) {
        const Drawn drawn(100, [&](std::mt19937 &) { return weight; });
        const AddingOrder order(drawn.bitmaps);
        CHECK(order.first_plane() == static_cast<std::uint32_t>(std::countr_zero(weight)));
        CHECK(order.first_plane() + order.planes().size() ==
              static_cast<std::size_t>(std::bit_width(100 * weight)));
    }
}

TEST_CASE("order of adding: many bitmaps of a weight are added once, not once for each bit") {
    const Drawn drawn(200, [](std::mt19937 &) { return 7; });
    const AddingOrder order(drawn.bitmaps);
    CHECK(order.inputs().size() < 2 * drawn.bitmaps.size());
}

} // namespace bowhist

#include <bowhist/core/shown_words.hpp>

#include <catch2/catch.hpp>

#include <limits>

using namespace bowhist;

TEST_CASE("shown words: those with more than an even share, in numpy's order of bits") {
    CHECK(shown_words(std::vector<std::uint32_t>{3, 0, 2, 1, 0, 0, 0, 0, 0, 4}) ==
          std::vector<std::uint8_t>{0b10100000, 0b01000000}); // the even share is 1
    CHECK(shown_words(std::vector<std::uint32_t>{2, 2, 2}) == std::vector<std::uint8_t>{0});
    CHECK(shown_words(std::vector<std::uint32_t>{7}) == std::vector<std::uint8_t>{0});
    CHECK(shown_words(std::vector<std::uint32_t>(16, 0)) == std::vector<std::uint8_t>{0, 0});
    CHECK(shown_words({}).empty());
    const ShownWords rows = words_shown_by({3, {1, 2, 0, 0, 0, 9, 0, 0, 0}});
    CHECK(rows.words == 3);
    CHECK(rows.bits == std::vector<std::uint8_t>{0b01000000, 0b00100000, 0});
    std::vector<std::uint32_t> large(9, std::numeric_limits<std::uint32_t>::max());
    large[8] -= 1;
    CHECK(shown_words(large) == std::vector<std::uint8_t>{0xff, 0});
}

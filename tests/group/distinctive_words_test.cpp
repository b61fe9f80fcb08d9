#include <bowhist/group/distinctive_words.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace bowhist;

namespace {

using Words = std::vector<std::uint32_t>;

/// @param rows  a text for each image, a digit for each word
ShownWords shown(const std::vector<std::string> &rows) {
    ShownWords result{.words = rows.front().size()};
    for (const std::string &row : rows) {
        std::vector<std::uint8_t> bits(result.row_bytes(), 0);
        for (std::size_t word = 0; word < row.size(); ++word)
            if (row[word] == '1') bits[word / 8] |= 0x80U >> word % 8;
        result.add(bits);
    }
    return result;
}

Grouping grouping_of(std::vector<std::int32_t> group) {
    Grouping grouping;
    grouping.groups = static_cast<std::size_t>(std::ranges::max(group) + 1);
    grouping.summaries.resize(grouping.groups);
    grouping.group = std::move(group);
    return grouping;
}

/// By the definition, in fractions: at most five of the largest share inside less share outside.
Words expected(const std::vector<std::string> &rows, const Grouping &grouping, std::int32_t group) {
    const auto inside = std::ranges::count(grouping.group, group);
    const auto outside = static_cast<std::int64_t>(rows.size()) - inside;
    std::vector<std::pair<std::int64_t, std::uint32_t>> ranked;
    for (std::uint32_t word = 0; word < rows.front().size(); ++word) {
        std::int64_t in = 0;
        std::int64_t out = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i][word] == '1') ++(grouping.group[i] == group ? in : out);
        const std::int64_t difference = in * outside - out * inside;
        if (difference > 0) ranked.emplace_back(-difference, word);
    }
    std::ranges::sort(ranked);
    Words words;
    for (std::size_t i = 0; i < std::min<std::size_t>(5, ranked.size()); ++i)
        words.push_back(ranked[i].second);
    return words;
}

} // namespace

TEST_CASE("distinctive words: the most distinctive first, of equal ones the lowest") {
    const ShownWords words = shown({"110100000", "110000000", "010011100", "010010100"});
    Grouping grouping = grouping_of({0, 0, 1, 1});
    find_distinctive_words(words, grouping);
    CHECK(grouping.summaries[0].words == Words{0, 3});
    CHECK(grouping.summaries[1].words == Words{4, 6, 5});
}

TEST_CASE("distinctive words: as by the definition, for any groups") {
    std::mt19937 engine(5);
    for (const std::size_t words : {1U, 7U, 8U, 9U, 40U}) {
        std::vector<std::string> rows(60, std::string(words, '0'));
        std::vector<std::int32_t> group;
        for (std::string &row : rows) {
            group.push_back(static_cast<std::int32_t>(engine() % 6) - 1); // -1, too
            for (std::size_t word = 0; word < words; ++word)
                row[word] = engine() % (word % 5 + 2) == 0 ? '1' : '0';
        }
        std::ranges::replace(group, 3, 4); // a number without images
        Grouping grouping = grouping_of(group);
        find_distinctive_words(shown(rows), grouping);
        for (std::int32_t one = 0; one < static_cast<std::int32_t>(grouping.groups); ++one)
            CHECK(grouping.summaries[static_cast<std::size_t>(one)].words ==
                  expected(rows, grouping, one));
    }
}

TEST_CASE("distinctive words: a group of all images has none, and rows without words") {
    Grouping all = grouping_of({0, 0});
    find_distinctive_words(shown({"10", "11"}), all);
    CHECK(all.summaries[0].words.empty());
    Grouping codes = grouping_of({0, 1});
    find_distinctive_words({}, codes);
    CHECK(codes.summaries[1].words.empty());
}

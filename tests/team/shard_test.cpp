#include <bowhist/team/shard.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>

using namespace bowhist;

TEST_CASE("shards: ranges follow each other without gaps, and their sizes differ by one at most") {
    for (const std::size_t inputs : {0, 1, 2, 7, 12, 100, 101, 999})
        for (const std::size_t of : {1, 2, 3, 5, 7, 12, 100, 101, 1000}) {
            std::size_t next = 0;
            std::size_t least = inputs;
            std::size_t most = 0;
            for (std::size_t number = 1; number <= of; ++number) {
                const ShardRange range = range_of({number, of}, inputs);
                REQUIRE(range.first == next);
                REQUIRE(range.last >= range.first);
                next = range.last;
                least = std::min(least, range.size());
                most = std::max(most, range.size());
            }
            CHECK(next == inputs);
            CHECK(most - least <= 1);
        }
}

TEST_CASE("shards: ranges of the most things and shards do not overflow") {
    constexpr std::size_t inputs = SIZE_MAX;
    CHECK(range_of({Shard::most, Shard::most}, inputs).last == inputs);
    CHECK(range_of({Shard::most / 2, Shard::most}, inputs).last == inputs / 2);
}

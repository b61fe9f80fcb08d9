#pragma once

#include <cstddef>

namespace bowhist {

/// One of the shards of a run: `number` of `of`, counted from 1. A shard takes a range of the
/// inputs, in the order in which the whole run takes them.
struct Shard {
    static constexpr std::size_t most = 1'000'000;

    std::size_t number = 1; ///< from 1 to `of`
    std::size_t of = 1;     ///< at most `most`

    bool operator==(const Shard &) const = default;
};

/// [first, last)
struct ShardRange {
    std::size_t first = 0;
    std::size_t last = 0;

    std::size_t size() const { return last - first; }
    bool operator==(const ShardRange &) const = default;
};

/// The shard's range of `count` things. The ranges of all shards follow each other without gaps,
/// and their sizes differ by one at most; with more shards than things, some are empty.
constexpr ShardRange range_of(const Shard &shard, std::size_t count) {
    __extension__ using Wide = unsigned __int128;
    const auto end_of = [&](std::size_t number) {
        return static_cast<std::size_t>(Wide{count} * number / shard.of);
    };
    return {end_of(shard.number - 1), end_of(shard.number)};
}

} // namespace bowhist

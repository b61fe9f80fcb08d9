#include <bowhist/search/search_levels.hpp>

#include <bowhist/assign/level.hpp>

#include <algorithm>

namespace bowhist {

const std::vector<SearchLevel> &search_levels() {
    constexpr HostWay one_by_one{.plain = true, .one_thread = true};
    constexpr HostWay on_all_cores{.plain = true};
    static const std::vector<SearchLevel> table = {
        {"serial", "one sum after another, one thread: the reference", false, one_by_one},
        {"openmp", "the same on all cores", false, on_all_cores},
        {"simd", "bitmaps added up by full adders, codes by products of bytes or of 16 bits, in vector registers"},
        {"gpu1", "a group adds up a window's bitmaps, walks its lists and keeps what may be best",
         true},
    };
    return table;
}

const SearchLevel &find_search_level(std::string_view id) {
    const Level &wished = find_level(id);
    const SearchLevel *found = nullptr;
    for (const Level &level : levels()) {
        const auto row = std::ranges::find(search_levels(), level.id, &SearchLevel::id);
        if (row != search_levels().end() && row->on_device == wished.on_device) found = &*row;
        if (level.id == id) break;
    }
    return *found; // the lowest of each kind is there
}

} // namespace bowhist

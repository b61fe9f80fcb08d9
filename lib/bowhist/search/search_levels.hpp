#pragma once

#include <bowhist/search/image_search.hpp>

#include <string_view>
#include <vector>

namespace bowhist {

/// One way to search: a row of the table in search_levels().
struct SearchLevel {
    std::string_view id;   ///< of the ladder (assign/level.hpp)
    std::string_view idea; ///< in a sentence
    bool on_device = false;
    HostWay way = {}; ///< on the host
};

/// Every way, in the order of the ladder. All give the same answers.
const std::vector<SearchLevel> &search_levels();

/// The level of that name, else the next lower one of its kind, on the host or on a device.
/// @throws Error{Fault::usage} for a name that is not in the ladder
const SearchLevel &find_search_level(std::string_view id);

} // namespace bowhist

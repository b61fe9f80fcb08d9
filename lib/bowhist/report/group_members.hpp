#pragma once

#include <bowhist/group/grouping.hpp>

#include <cstddef>
#include <vector>

namespace bowhist {

/// An image of a group.
struct Member {
    std::size_t row = 0;
    double distance = 0; ///< to the group's center
    bool is_odd = false; ///< of group -1, or far from its group: beyond the upper quartile of the
                         ///< distances by more than 1.5 times that between the quartiles
};

/// The images of each group, nearest to its center first. Group -1 comes before all, so that group
/// g is at g + 1.
std::vector<std::vector<Member>> members_of_groups(const Grouping &grouping);

} // namespace bowhist

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// Numbers groups by those that were there before: the two that share most images have the same
/// number, of equal pairs that of the lower old number, then of the lower new one. Groups that
/// share no image with one that is left over get the lowest numbers that no group has or had, in
/// the order of their first images.
/// @param before  each image's group before, -1 of new ones
/// @param group   each image's group, -1 of those that fit nowhere; numbered anew
/// @return how many numbers there are: the highest of both and one
std::size_t keep_numbers(std::span<const std::int32_t> before, std::span<std::int32_t> group);

/// What became of the groups, a line for each change: "group 3 was joined to group 1 (12
/// pictures)", "group 5 was split off group 2 (9 pictures)", "group 7 is new (4 pictures)", "4
/// pictures moved from group 1 to group 2". New images are no change.
/// @param group  numbered by keep_numbers()
std::vector<std::string> changes(std::span<const std::int32_t> before,
                                 std::span<const std::int32_t> group);

} // namespace bowhist

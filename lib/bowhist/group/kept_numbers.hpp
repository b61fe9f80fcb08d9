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

/// The changes of the groups, a line for each: "group 3 was joined to group 1 (12 pictures)",
/// "group 5 was split off group 2 (9 pictures)", "group 7 is new (4 pictures)", "4 pictures moved
/// from group 1 to group 2". New images are no change.
/// @param group  numbered by keep_numbers()
std::vector<std::string> changes(std::span<const std::int32_t> before,
                                 std::span<const std::int32_t> group);

/// "3 new pictures: 2 in group 0, 1 in group 4": the groups of most new images first, ten at most.
/// Empty without new ones. @param is_new  of each image; empty: none is
std::string new_images(const std::vector<bool> &is_new, std::span<const std::int32_t> group);

/// Which images a user moved to another group: their group is another than the one that was found.
/// A group whose number none of its images kept was renamed, or joined to another: its images were
/// moved where they went elsewhere than most of them. An image that was alone in its group was
/// moved where it is with others now.
/// @param found   each image's group, as it was found
/// @param before  each image's group, as the user left it; -1 of new ones and those nowhere
std::vector<bool> moved_by_hand(std::span<const std::int32_t> found,
                                std::span<const std::int32_t> before);

} // namespace bowhist

#include <bowhist/report/group_members.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t fewest = 8; ///< images of a group that have an odd one among them

/// @param members  by rising distance
void mark_odd(std::vector<Member> &members) {
    if (members.size() < fewest) return;
    const std::size_t quarter = (members.size() - 1) / 4;
    const double lower = members[quarter].distance;
    const double upper = members[members.size() - 1 - quarter].distance;
    for (Member &member : members) // no product is added to, so that machines agree
        member.is_odd = 2 * (member.distance - upper) > 3 * (upper - lower);
}

} // namespace

std::vector<std::vector<Member>> members_of_groups(const Grouping &grouping) {
    std::vector<std::vector<Member>> groups(grouping.groups + 1);
    for (std::size_t row = 0; row < grouping.group.size(); ++row)
        groups[static_cast<std::size_t>(grouping.group[row] + 1)].push_back(
            {.row = row,
             .distance = grouping.distance[row],
             .is_odd = grouping.group[row] == Grouping::nowhere});
    for (std::size_t group = 1; group < groups.size(); ++group) {
        std::ranges::stable_sort(groups[group], {}, &Member::distance);
        mark_odd(groups[group]);
    }
    return groups;
}

} // namespace bowhist

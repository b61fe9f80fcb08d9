#include <bowhist/team/same.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

#include <vector>

namespace bowhist {

std::string difference(std::size_t rank, std::string_view other) {
    return fmt::format("rank {} has {} than rank 0; give all ranks the same files, options and "
                       "program",
                       rank, other);
}

void require_same(Team &team, std::string_view other, std::string_view text) {
    if (team.size() == 1) return;
    std::string first(text); // rank 0's
    team.broadcast(first);
    std::vector<std::uint32_t> differs(team.size(), 0);
    differs[team.rank()] = text != first ? 1 : 0;
    team.sum(differs);
    for (std::size_t rank = 0; rank < differs.size(); ++rank)
        if (differs[rank] > 0) throw Error(Fault::usage, difference(rank, other));
}

} // namespace bowhist

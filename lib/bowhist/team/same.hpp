#pragma once

#include <bowhist/team/team.hpp>

#include <string_view>

namespace bowhist {

/// Compares what all members must have alike.
/// @param other  what a member has whose text differs from rank 0's: "another vocabulary"
/// @throws Error{Fault::usage} on all of them alike, naming the first such member
void require_same(Team &team, std::string_view other, std::string_view text);

} // namespace bowhist

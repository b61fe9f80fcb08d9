#pragma once

#include <bowhist/team/team.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace bowhist {

/// The line about a member that differs from rank 0.
/// @param other  what it has: "another vocabulary"
std::string difference(std::size_t rank, std::string_view other);

/// Compares what all members must have alike.
/// @param other  what a member has whose text differs from rank 0's: "another vocabulary"
/// @throws Error{Fault::usage} on all of them alike, naming the first such member
void require_same(Team &team, std::string_view other, std::string_view text);

} // namespace bowhist

#pragma once

#include <bowhist/learn/gathered_rows.hpp>
#include <bowhist/team/team.hpp>

namespace bowhist {

/// gather_rows() by the members of a team, who call it alike: each streams its share of the inputs.
/// The descriptors drawn, and their counts, are those of one process. Afterwards rank 0 has all
/// descriptors that lie in memory, and the others have none; where they stay in their files, each
/// member has its share in `rows` and all of them in `all`.
/// @throws as gather_rows; Error{Fault::usage} where members' descriptor files are of different
///         recipes
GatheredRows gather_shares(const MemoryRequest &request, const InputList &list,
                           const Extractor &extractor, StreamOptions options, Team &team,
                           Observer &observer);

} // namespace bowhist

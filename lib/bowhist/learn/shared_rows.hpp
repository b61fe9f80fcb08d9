#pragma once

#include <bowhist/learn/gathered_rows.hpp>
#include <bowhist/team/team.hpp>

namespace bowhist {

/// Gives each member its share of the descriptors that rank 0 has in memory, in the order of ranks:
/// `rows` becomes the share, `all` what rank 0 had. Does nothing in one process, nor with
/// descriptors in files.
void share_rows(GatheredRows &gathered, Team &team);

/// Gives each member all descriptors that rank 0 has in memory.
void copy_rows(GatheredRows &gathered, Team &team);

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

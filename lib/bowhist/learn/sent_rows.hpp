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

} // namespace bowhist

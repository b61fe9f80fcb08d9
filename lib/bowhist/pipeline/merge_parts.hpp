#pragma once

#include <bowhist/pipeline/run_summary.hpp>

#include <filesystem>
#include <span>

namespace bowhist {

/// Puts the parts of a run together, in any order: the bytes that the run itself would have written
/// to `output`. Rows pass one by one; no part is held in memory.
/// @param output  its ending is the format, as without shards; empty: standard output
/// @return what became of all inputs; the list has none
/// @throws Error{Fault::input} for a file that is no part or a damaged one, a part that is missing
///         or there twice, and parts of different runs: another number of shards, vocabulary,
///         version, other inputs or options. Fault::usage where `output` cannot hold it or is a
///         part; Fault::output; Fault::interrupted
InputSummary merge_parts(std::span<const std::filesystem::path> parts,
                         const std::filesystem::path &output, Observer &observer);

} // namespace bowhist

#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/index/update.hpp>

#include <filesystem>
#include <span>

namespace bowhist {

/// Puts the shards of a library together, in any order: a library with the rows of the one that
/// `index` makes without shards. Contents get the same numbers; the index of search is made anew.
/// The library appears when all is done, and not before.
/// @param output  must not be there yet
/// @return as index_library would
/// @throws Error{Fault::input} for a file that is no shard of a library, or a damaged one, a shard
///         that is missing or there twice, and shards of different runs; Fault::usage where
///         something is at `output`; Fault::output; Fault::interrupted
IndexRun merge_libraries(std::span<const std::filesystem::path> parts,
                         const std::filesystem::path &output, Observer &observer);

} // namespace bowhist

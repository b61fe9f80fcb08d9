#pragma once

#include <bowhist/index/update.hpp>
#include <bowhist/library/targets.hpp>
#include <bowhist/team/shard.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace bowhist {

/// The files that a run walks, one after another, of which it takes a range.
class ShardCut {
  public:
    explicit ShardCut(const ShardRange &range) : range_(range) {}

    /// Leaves of the next names those in the range.
    void take(std::vector<std::string> &names);

  private:
    ShardRange range_;
    std::size_t next_ = 0; ///< place of the next name
};

/// Which shard of which run a library is: the text that it keeps as `shard` (part_record.hpp).
struct LibraryShard {
    ShardRange range;
    std::string head;
    std::string list; ///< a hash of all files' names
};

/// Lists all files of the run, in the order in which it walks them.
/// @throws Error{Fault::usage} where a model is not given, and each shard would learn its own;
///         Fault::interrupted
LibraryShard shard_of(const IndexRequest &request, const Targets &targets, Observer &observer);

/// Makes room for a shard: removes a library that is a shard of other inputs, models or options.
/// REQUIRES: request.shard
/// @throws Error{Fault::usage} where a library is there that is no shard
void remove_other_shard(const IndexRequest &request, Observer &observer);

/// Counts of inputs that a shard skipped and no row holds.
struct ShardSkips {
    std::size_t everywhere = 0; ///< lines of lists, folders: each shard meets them
    std::size_t here = 0;       ///< files that are not there

    std::string text() const;
    static ShardSkips of(const std::string &text);
};

/// Files that are there and skipped, for reasons of the file or of its content.
std::size_t skipped_files(Database &database);

} // namespace bowhist

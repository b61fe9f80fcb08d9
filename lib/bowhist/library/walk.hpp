#pragma once

#include <bowhist/library/merge.hpp>
#include <bowhist/library/shard_listing.hpp>
#include <bowhist/library/targets.hpp>
#include <bowhist/pipeline/folder_search.hpp>

#include <functional>
#include <optional>
#include <set>
#include <string>

namespace bowhist {

/// Walks all targets, folder by folder.
class Walk {
  public:
    /// All outlive it. @param cut  takes some of all files; the others are left alone
    Walk(Catalogue &catalogue, Ingest &ingest, Merge &merge, Observer &observer,
         const std::optional<ShardCut> &cut = {})
        : catalogue_(catalogue), ingest_(ingest), merge_(merge), observer_(observer), cut_(cut) {}

    /// @return folders that could not be listed
    std::size_t run(const Targets &targets);

  private:
    void walk(const FolderTarget &target, FolderSearch &search);
    void look_at(const FileTarget &target);
    /// The root is in Targets::repeated: its files are gone, as they are another root's.
    void leave(const RootRow &root);
    void mark_unmet(const RootRow &root, const std::string &below);
    /// Files of a new root that had been named become the root's.
    void take_named(const RootRow &root, const std::string &opened);

    Catalogue &catalogue_;
    Ingest &ingest_;
    Merge &merge_;
    Observer &observer_;
    std::optional<ShardCut> cut_;
    std::size_t unlisted_ = 0;       ///< folders
    std::set<RowId> met_;            ///< folders
    std::set<RowId> unlisted_roots_; ///< that have unlisted folders
};

/// Calls `use` with each file that a walk of these targets looks at, in its order.
/// @param use  gets what stands in front of a file's name, and the name
void list_targets(
    const Targets &targets, Observer &observer,
    const std::function<void(const std::string &front, const std::string &name)> &use);

} // namespace bowhist

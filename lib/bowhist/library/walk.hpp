#pragma once

#include <bowhist/library/merge.hpp>
#include <bowhist/library/targets.hpp>
#include <bowhist/pipeline/folder_search.hpp>

#include <set>
#include <string>

namespace bowhist {

/// Walks all targets, folder by folder.
class Walk {
  public:
    /// All outlive it.
    Walk(Catalogue &catalogue, Ingest &ingest, Merge &merge, Observer &observer)
        : catalogue_(catalogue), ingest_(ingest), merge_(merge), observer_(observer) {}

    /// @return folders that could not be listed
    std::size_t run(const Targets &targets);

  private:
    void walk(const FolderTarget &target, FolderSearch &search);
    void look_at(const FileTarget &target);
    void mark_unmet(const RootRow &root, const std::string &below);
    /// Files of a new root that had been named become the root's.
    void take_named(const RootRow &root, const std::string &opened);

    Catalogue &catalogue_;
    Ingest &ingest_;
    Merge &merge_;
    Observer &observer_;
    std::size_t unlisted_ = 0;       ///< folders
    std::set<RowId> met_;            ///< folders
    std::set<RowId> unlisted_roots_; ///< that have unlisted folders
};

} // namespace bowhist

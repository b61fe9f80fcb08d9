#pragma once

#include <bowhist/index/ingest.hpp>
#include <bowhist/index/shard_listing.hpp>
#include <bowhist/index/update.hpp>
#include <bowhist/inputs/folder_search.hpp>
#include <bowhist/library/targets.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bowhist {

/// A file as its folder lists it.
struct ListedFile {
    std::string name;
    bool is_there = false;   ///< it could be looked at
    bool is_missing = false; ///< its folder, which is not empty, has no such file
    FileStamp stamp = {};
    std::int64_t changed = 0; ///< ctime, nanoseconds since 1970
    std::int64_t file = 0;    ///< of device and inode
};

/// A folder with its files, by what stands in front of their names.
struct FolderPlace {
    std::string printed;
    std::string opened;
};

/// Whether it is a folder that can be listed and holds nothing: perhaps its disk is not mounted.
bool is_empty_folder(const std::filesystem::path &folder);

/// Looks at files of one folder, on all threads.
/// @param names  in the order of their bytes
std::vector<ListedFile> look_at(const std::filesystem::path &folder,
                                std::vector<std::string> &&names);

/// Compares folders with their rows: what is new or changed is read, what is missing is marked.
class Merge {
  public:
    /// All outlive it.
    Merge(Catalogue &catalogue, Ingest &ingest, const IndexRequest &request, IndexRun &counts,
          std::int64_t run, Observer &observer);

    /// @param is_whole  whether files that are not listed are gone; else only what is_missing
    void folder(RowId folder, const FolderPlace &place, std::vector<ListedFile> &&files,
                bool is_whole);
    /// A folder that is not there any more.
    /// @param printed  what stands in front of its files' names
    void gone_folder(RowId folder, const std::string &printed);

  private:
    void known(FileRow &&row, const ListedFile &file, const FolderPlace &place);
    void unchanged(FileRow &&row, const ListedFile &file, const FolderPlace &place);
    bool is_to_verify(const FileRow &row) const;
    void check(FileJob &&job);
    void skip(const std::string &path, std::string_view reason);
    void mark_gone(FileRow &row, const std::string &printed);
    void report(std::string_view what, const std::string &path) const;
    void read(FileRow &&row, const ListedFile &file, const FolderPlace &place);

    Catalogue &catalogue_;
    Ingest &ingest_;
    const IndexRequest &request_;
    IndexRun &counts_;
    std::int64_t run_;
    Observer &observer_;
    std::int64_t now_;
};

/// Walks all targets, folder by folder.
class Walk {
  public:
    /// All outlive it. @param cut  takes some of all files; the others are left alone
    Walk(Catalogue &catalogue, Ingest &ingest, Merge &merge, Observer &observer,
         const std::optional<ShardCut> &cut = {})
        : catalogue_(catalogue), ingest_(ingest), merge_(merge), observer_(observer), cut_(cut) {}

    /// @return what was ignored, and how many folders could not be listed; no inputs
    InputList run(const Targets &targets);

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

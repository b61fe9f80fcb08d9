#pragma once

#include <bowhist/library/ingest.hpp>
#include <bowhist/library/update.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace bowhist {

/// A file as its folder lists it.
struct ListedFile {
    std::string name;
    bool is_there = false;   ///< it could be looked at
    bool is_missing = false; ///< its folder, which is not empty, has no such file
    FileStamp stamp = {};
    std::int64_t file = 0; ///< of device and inode
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
    /// @param retries  whether images that were skipped are read again
    Merge(Catalogue &catalogue, Ingest &ingest, const IndexRequest &request, IndexRun &counts,
          std::int64_t run, bool retries, Observer &observer);

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
    void skip(const std::string &path, const char *reason);
    void mark_gone(FileRow &row, const std::string &printed);
    void report(std::string_view what, const std::string &path) const;
    void read(FileRow &&row, const ListedFile &file, const FolderPlace &place);

    Catalogue &catalogue_;
    Ingest &ingest_;
    const IndexRequest &request_;
    IndexRun &counts_;
    std::int64_t run_;
    bool retries_;
    Observer &observer_;
    std::int64_t now_;
};

} // namespace bowhist

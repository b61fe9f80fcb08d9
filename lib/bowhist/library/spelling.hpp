#pragma once

// Some file systems fold names: `Photos` and `photos` lead to one folder (exFAT, vfat, ext4 with
// casefold, shares of other systems). A library that took them for two folders would hold each file
// twice, and take the file for a copy of itself.

#include <bowhist/library/library.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace bowhist {

/// Finds names as their folders list them. Keeps the names of the last folder that it listed. One
/// thread at a time.
class ListedNames {
  public:
    /// The name that a folder lists for this one: the name itself unless names are folded there, or
    /// where it leads to nothing.
    std::string of(const std::string &folder, const std::string &name);

  private:
    void list(const std::string &folder);

    std::string folder_;
    std::unordered_set<std::string> names_;
};

/// The absolute path without links, each name as its folder lists it; empty where it is not there.
std::string listed_path(const std::string &path);

/// How two folders are compared; tests have other functions.
struct FolderComparison {
    /// Whether a folder's file system gives each file one inode number, whatever its spelling, and
    /// no two files the same one. FUSE, FAT, exFAT and network shares of other systems may not.
    std::function<bool(const std::string &folder)> has_sound_inodes;
    /// Whether a file that is made in the first folder appears in the second; nothing where no file
    /// can be made. The file is removed.
    std::function<std::optional<bool>(const std::string &, const std::string &)> shows_file;
};
FolderComparison comparison_on_disk();

/// Whether two paths lead to one folder: under another spelling, by a link or a bind mount. Two
/// folders of the same content are two. Their inode numbers decide if these are sound. Otherwise a
/// file that is made in one of them decides, or again their inode numbers if none can be made.
bool is_same_folder(const std::string &one, const std::string &other,
                    const FolderComparison &comparison = comparison_on_disk());

/// The place of an image's file, to find the same file under another spelling.
class FileIdentity {
  public:
    /// Looks at the disk.
    explicit FileIdentity(const LibraryImage &image);

    /// Whether both are one file. False where one of them is not there.
    bool is_same(const FileIdentity &other) const;
    /// Equal for the spellings of a path; empty of a file that is not there.
    const std::string &key() const { return key_; }

  private:
    std::uint64_t device_ = 0, inode_ = 0, size_ = 0;
    std::int64_t modified_ = 0;
    std::string folder_, name_; ///< without links; the name as it was given
    std::string key_;
};

/// Whether two images of libraries are one file on today's disk: it is no copy of itself.
bool is_same_file(const LibraryImage &one, const LibraryImage &other);

} // namespace bowhist

#pragma once

#include <bowhist/io/file_handle.hpp>

#include <filesystem>
#include <optional>
#include <vector>

namespace bowhist {

/// The file that a link leads to, also one that does not exist yet; else the path itself.
std::filesystem::path where_it_leads(std::filesystem::path path);

/// A new, empty file in the folder of its destination, so that a rename can replace the
/// destination. Removed with its owner, unless it took that place. Locked, so that the next run can
/// recognize and sweep what a killed run left (sweep.hpp).
///
/// An old file that no rename can replace (a mount point, another user's file in a sticky folder)
/// is written over at the end. So is one in a folder where nothing can be created: the temporary
/// file then lies in the system's folder for such files.
class TemporaryFile {
  public:
    /// @throws Error{Fault::output} when the destination exists and is no regular file or is
    ///         write-protected, or nothing can be created there; UnusableName
    explicit TemporaryFile(const std::filesystem::path &destination);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    const std::filesystem::path &path() const { return path_; }

    /// Puts the file in the destination's place, with the permissions of the old file.
    /// REQUIRES: what was written to path() is closed.
    /// @throws Error{Fault::output}; UnusableName: the file system cannot hold such a name
    void replace_destination();

  private:
    void create();
    /// False, with the reason in errno, when no file can be created there.
    bool create_in(const std::filesystem::path &folder);

    std::filesystem::path destination_; ///< links resolved: they stay links
    FileHandle lock_;                   ///< keeps the lock while it is open
    std::filesystem::path path_;        ///< empty once it took the destination's place
    bool beside_ = true;                ///< in the destination's folder
    std::optional<std::filesystem::perms> old_permissions_; ///< of the file that was there
};

/// A new, empty folder beside its destination, so that a rename can put it there. Removed with its
/// owner and everything in it, unless it took that place. Named and locked as a TemporaryFile is,
/// so that the next run can recognize and sweep what a killed run left (sweep.hpp).
class UnfinishedFolder {
  public:
    /// Makes the folders above it, too; they go with it, where they are empty.
    /// @param destination  absent, or an empty folder; or a link to such a place
    /// @throws std::filesystem::filesystem_error
    explicit UnfinishedFolder(const std::filesystem::path &destination);
    ~UnfinishedFolder();
    UnfinishedFolder(const UnfinishedFolder &) = delete;
    UnfinishedFolder &operator=(const UnfinishedFolder &) = delete;

    const std::filesystem::path &path() const { return path_; }

    /// Puts the folder in the destination's place. @throws std::filesystem::filesystem_error
    void take_place();
    /// The same of another place beside it. @throws std::filesystem::filesystem_error
    void take_place_as(const std::filesystem::path &destination);

  private:
    bool create(const std::filesystem::path &folder);

    std::filesystem::path destination_;        ///< links resolved: they stay links
    FileHandle lock_;                          ///< keeps the lock while it is open
    std::vector<std::filesystem::path> above_; ///< that it made, the lowest first
    std::filesystem::path path_;               ///< empty once it took the destination's place
};

} // namespace bowhist

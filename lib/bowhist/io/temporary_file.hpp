#pragma once

#include <bowhist/io/file_handle.hpp>

#include <filesystem>
#include <optional>

namespace bowhist {

/// The file that a link names, be it one that is not there yet; else the path itself.
std::filesystem::path where_it_leads(std::filesystem::path path);

/// A new, empty file beside its destination, under a name of its own: in the same folder, so that
/// it can take the destination's place at once. Removed with its owner, unless it took that place;
/// locked, so that the next run knows what a killed one left in the folder, and sweep it
/// (sweep.hpp).
///
/// A file that is there and that no rename can replace (a mount point, another user's file in a
/// sticky folder) is written over at the end. In a folder where nothing can be created it is, too,
/// and then the temporary file lies in the system's folder for such files.
class TemporaryFile {
  public:
    /// @throws Error{Fault::output} when the destination exists and is no regular file or is
    ///         write-protected, or nothing can be created there; UnusableName
    explicit TemporaryFile(const std::filesystem::path &destination);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    const std::filesystem::path &path() const { return path_; }

    /// Puts what was written to path() in the destination's place, with the permissions of the
    /// file that was there. Whoever wrote it has closed it.
    /// @throws Error{Fault::output}; UnusableName: the file system cannot hold such a name
    void replace_destination();

  private:
    void create();
    /// False, with the reason in errno, when nothing can be created there.
    bool create_in(const std::filesystem::path &folder);

    std::filesystem::path destination_; ///< links resolved: they stay links
    FileHandle lock_;                   ///< holds it as long as it is open
    std::filesystem::path path_;        ///< empty once it took the destination's place
    bool beside_ = true;                ///< in the destination's folder
    std::optional<std::filesystem::perms> old_permissions_; ///< of the file that was there
};

} // namespace bowhist

#pragma once

#include <bowhist/io/file_handle.hpp>

#include <filesystem>
#include <vector>

namespace bowhist {

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

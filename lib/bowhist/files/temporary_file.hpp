#pragma once

#include <filesystem>
#include <optional>

namespace bowhist {

/// A new, empty file beside its destination, under a name of its own: in the same folder, so that
/// it can take the destination's place at once. Removed with its owner, unless it took that place.
class TemporaryFile {
  public:
    /// @throws Error{Fault::output} when the destination exists and is no regular file or is
    ///         write-protected, or nothing can be created beside it
    explicit TemporaryFile(const std::filesystem::path &destination);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    const std::filesystem::path &path() const { return path_; }

    /// Puts what was written to path() in the destination's place, with the permissions of the
    /// file that was there. Whoever wrote it has closed it.
    void replace_destination();

  private:
    void create();

    std::filesystem::path destination_; ///< links resolved: they stay links
    std::filesystem::path path_;        ///< empty once it took the destination's place
    std::optional<std::filesystem::perms> old_permissions_;
};

} // namespace bowhist

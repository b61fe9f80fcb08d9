#pragma once

#include <bowhist/io/temporary_file.hpp>

#include <filesystem>
#include <optional>

namespace bowhist {

/// bowhist's folder in the user's cache: in $XDG_CACHE_HOME, else in ~/.cache; empty without
/// either.
std::filesystem::path user_cache_folder();

/// A new, empty folder of this user alone, removed with its owner and everything in it. The next
/// run removes what a killed one left (sweep.hpp). Its path is empty where no folder can be made.
class ScratchFolder {
  public:
    /// @param place  where to make it; empty: nowhere
    explicit ScratchFolder(const std::filesystem::path &place);

    const std::filesystem::path &path() const { return path_; }

    /// The system's folder for temporary files; where that takes none, the one in memory. Empty
    /// where both are missing.
    static std::filesystem::path temporary();
    static constexpr const char *in_memory = "/dev/shm";

  private:
    std::optional<UnfinishedFolder> folder_;
    std::filesystem::path path_;
};

} // namespace bowhist

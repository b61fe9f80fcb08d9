#pragma once

#include <filesystem>

namespace bowhist {

/// bowhist's folder in the user's cache: in $XDG_CACHE_HOME, else in ~/.cache; empty without
/// either.
std::filesystem::path user_cache_folder();

/// A new, empty folder, removed with its owner and everything in it. Its path is empty where no
/// folder can be made.
class ScratchFolder {
  public:
    /// @param prefix of its path: six letters follow
    explicit ScratchFolder(const std::filesystem::path &prefix);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder &) = delete;
    ScratchFolder &operator=(const ScratchFolder &) = delete;

    const std::filesystem::path &path() const { return path_; }

    /// In the system's folder for temporary files.
    static std::filesystem::path temporary(const char *name);

  private:
    std::filesystem::path path_;
};

} // namespace bowhist

#include <bowhist/io/own_folders.hpp>

#include <unistd.h>

#include <cstdlib>

namespace bowhist {

namespace fs = std::filesystem;

fs::path user_cache_folder() {
    const auto folder = [](const char *variable) {
        const char *value = std::getenv(variable);
        const fs::path path = value == nullptr ? "" : value;
        return path.is_absolute() ? path : fs::path(); // relative ones are void, says XDG
    };
    if (const fs::path cache = folder("XDG_CACHE_HOME"); !cache.empty()) return cache / "bowhist";
    if (const fs::path home = folder("HOME"); !home.empty()) return home / ".cache" / "bowhist";
    return {};
}

ScratchFolder::ScratchFolder(const fs::path &place) {
    if (place.empty()) return;
    try {
        folder_.emplace(place / "scratch"); // beside this name, which nothing takes
        fs::permissions(folder_->path(), fs::perms::owner_all);
        path_ = folder_->path();
    } catch (const fs::filesystem_error &) {
        folder_.reset();
    }
}

fs::path ScratchFolder::temporary() {
    const auto takes_files = [](const fs::path &folder) {
        return ::access(folder.c_str(), W_OK | X_OK) == 0;
    };
    std::error_code error;
    fs::path folder = fs::temp_directory_path(error);
    if (error) folder.clear();
    return !takes_files(folder) && takes_files(in_memory) ? fs::path(in_memory) : folder;
}

} // namespace bowhist

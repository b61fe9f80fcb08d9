#include <bowhist/io/own_folders.hpp>

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
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    return error ? fs::path() : folder;
}

} // namespace bowhist

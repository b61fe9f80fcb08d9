#include <bowhist/io/own_folders.hpp>

#include <cstdlib>
#include <string>

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

ScratchFolder::ScratchFolder(const fs::path &prefix) {
    if (prefix.empty()) return;
    std::string name = prefix.native() + "XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

fs::path ScratchFolder::temporary(const char *name) {
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    return error ? fs::path() : folder / name;
}

} // namespace bowhist

#include <bowhist/io/user_cache_folder.hpp>

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

} // namespace bowhist

#include <bowhist/device/pocl_cache.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

fs::path variable(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Where PoCL looks for it, but that empty variables are none: PoCL aborts.
fs::path cache_folder() {
    if (const fs::path own = variable("POCL_CACHE_DIR"); !own.empty()) return own;
    if (const fs::path all = variable("XDG_CACHE_HOME"); !all.empty()) return all / "pocl/kcache";
    if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache/pocl/kcache";
    return {};
}

/// Whether it is there, or can be made, and written to.
bool is_writable(fs::path folder) {
    std::error_code error;
    while (!fs::exists(fs::symlink_status(folder, error)) && folder.has_relative_path())
        folder = folder.parent_path();
    return fs::is_directory(folder, error) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

/// Removed with the program: it is made before PoCL registers what it does at the end.
struct TemporaryFolder {
    TemporaryFolder() {
        std::error_code error;
        std::string name = fs::temp_directory_path(error) / "bowhist-pocl-XXXXXX";
        if (!error && ::mkdtemp(name.data()) != nullptr) path = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path.empty()) fs::remove_all(path, ignored);
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    fs::path path;
};

} // namespace

void ensure_pocl_cache() {
    fs::path folder = cache_folder();
    if (folder.empty() || !is_writable(folder)) {
        static const TemporaryFolder temporary;
        folder = temporary.path;
    }
    ::setenv("POCL_CACHE_DIR", folder.c_str(), 1);
}

} // namespace bowhist

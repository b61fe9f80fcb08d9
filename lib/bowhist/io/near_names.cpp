#include <bowhist/io/near_names.hpp>

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <system_error>

namespace bowhist {
namespace {
namespace fs = std::filesystem;

/// utf8proc_NFC: memory of malloc(), or null for what is no UTF-8.
using Compose = unsigned char *(*)(const unsigned char *);

Compose load_compose() {
    for (const char *name : {"libutf8proc.so.3", "libutf8proc.so.2"})
        if (void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
            return reinterpret_cast<Compose>(dlsym(library, "utf8proc_NFC"));
    return nullptr;
}

/// The names of the folder that was listed last: many files of one folder may be missing.
class Listing {
  public:
    /// The name that looks like this one; empty without.
    fs::path find(const fs::path &folder, const std::string &name) {
        if (folder_ != folder) list(folder);
        const auto found = names_.find(composed(name));
        return found == names_.end() ? fs::path() : fs::path(found->second);
    }

  private:
    void list(const fs::path &folder) {
        folder_ = folder;
        names_.clear();
        std::error_code error; // what cannot be listed has no names to propose
        fs::directory_iterator entry(folder.empty() ? "." : folder, error);
        for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
            const std::string name = entry->path().filename();
            if (!is_ascii(name)) names_.emplace(composed(name), name);
        }
    }

    fs::path folder_ = "/no folder";
    std::map<std::string, std::string> names_; ///< by their composed() spelling
};

/// The path that is there and looks like this one; empty without.
fs::path near_path(const fs::path &missing) {
    thread_local Listing listing;
    std::error_code unknown;
    fs::path near;
    for (const fs::path &name : missing) {
        if (fs::exists(fs::symlink_status(near / name, unknown))) {
            near /= name;
            continue;
        }
        const fs::path found = listing.find(near, name);
        if (found.empty()) return {};
        near /= found;
    }
    return fs::exists(fs::symlink_status(near, unknown)) ? near : fs::path();
}

} // namespace

bool is_ascii(std::string_view name) {
    return std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 128; });
}

std::string composed(const std::string &name) {
    static const Compose compose = load_compose();
    if (compose == nullptr || is_ascii(name)) return name;
    const std::unique_ptr<unsigned char, decltype(&std::free)> text(
        compose(reinterpret_cast<const unsigned char *>(name.c_str())), std::free);
    return text ? std::string(reinterpret_cast<const char *>(text.get())) : name;
}

std::string did_you_mean(const fs::path &near) {
    if (near.empty()) return {};
    return fmt::format("; did you mean {}, which is spelt with other code points", near);
}

std::string did_you_mean_on_disk(const fs::path &missing) {
    return is_ascii(missing.native()) ? std::string() : did_you_mean(near_path(missing));
}

} // namespace bowhist

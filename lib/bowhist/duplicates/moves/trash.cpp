#include <bowhist/duplicates/moves/trash.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 255; ///< bytes, on most file systems
constexpr std::string_view record_ending = ".trashinfo";

std::string_view environment(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

fs::path home_trash() {
    if (const fs::path data = environment("XDG_DATA_HOME"); data.is_absolute())
        return data / "Trash";
    const fs::path home = environment("HOME");
    return home.is_absolute() ? home / ".local/share/Trash" : fs::path();
}

/// The device of a folder, or of the nearest one above it that is there.
dev_t device_of(fs::path folder) {
    struct stat found {};
    while (::stat(folder.c_str(), &found) != 0 && folder.has_relative_path())
        folder = folder.parent_path();
    return found.st_dev;
}

fs::path top_folder(fs::path folder) {
    const dev_t device = device_of(folder);
    while (folder.has_relative_path() && device_of(folder.parent_path()) == device)
        folder = folder.parent_path();
    return folder;
}

bool is_folder(const fs::path &path, mode_t needed_bits) {
    struct stat found {};
    return ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
           (found.st_mode & needed_bits) == needed_bits;
}

/// The trash in a file system's top folder; empty if none can be written there.
fs::path trash_at(const fs::path &top) {
    const std::string user = std::to_string(::getuid());
    if (is_folder(top / ".Trash", S_ISVTX)) return top / ".Trash" / user;
    const fs::path own = top / (".Trash-" + user);
    const bool is_there = is_folder(own, 0);
    const fs::path &written = is_there ? own : top;
    std::error_code unknown;
    const bool is_free = is_there || !fs::exists(fs::symlink_status(own, unknown));
    return is_free && ::access(written.c_str(), W_OK) == 0 ? own : fs::path();
}

std::string percent_encoded(std::string_view path) {
    std::string encoded;
    for (const char letter : path) {
        const bool is_plain = (letter >= 'a' && letter <= 'z') ||
                              (letter >= 'A' && letter <= 'Z') ||
                              (letter >= '0' && letter <= '9') ||
                              std::string_view("-._~/").find(letter) != std::string_view::npos;
        if (is_plain)
            encoded += letter;
        else
            encoded += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    }
    return encoded;
}

/// "IMG 2.jpg", short enough for its record.
std::string numbered_name(const fs::path &name, int number) {
    const std::string ending = name.extension().native();
    const std::string mark = (number > 1 ? fmt::format(" {}", number) : "") + ending;
    const std::size_t room = longest_name - record_ending.size();
    const std::string stem = name.stem().native();
    if (mark.size() > room) return mark.substr(0, room);
    std::size_t end = std::min(stem.size(), room - mark.size());
    while (end > 0 && end < stem.size() && (static_cast<unsigned char>(stem[end]) & 0xC0U) == 0x80U)
        --end; // no letter is cut
    return stem.substr(0, end) + mark;
}

bool is_there(const fs::path &path) {
    struct stat found {};
    return ::lstat(path.c_str(), &found) == 0;
}

} // namespace

Trash::Trash() : home_(home_trash()) {}

TrashPlace Trash::place_for(const fs::path &file) {
    std::error_code unknown;
    const fs::path absolute = fs::absolute(file);
    const fs::path folder = fs::weakly_canonical(absolute.parent_path(), unknown);
    const fs::path old = folder / absolute.filename();
    fs::path trash = home_;
    std::string was = percent_encoded(old.native());
    if (home_.empty() || device_of(home_) != device_of(folder)) {
        const fs::path top = top_folder(folder);
        if (const fs::path there = trash_at(top); !there.empty()) {
            trash = there;
            was = percent_encoded(old.lexically_relative(top).native());
        }
    }
    if (trash.empty())
        throw Error(Fault::usage, fmt::format("{}: there is no trash for it, and no home folder; "
                                              "set HOME, or give --to DIR",
                                              file));
    for (int number = 1;; ++number) {
        const std::string name = numbered_name(absolute.filename(), number);
        const fs::path place = trash / "files" / name;
        const fs::path record = trash / "info" / (name + std::string(record_ending));
        if (is_there(place) || is_there(record) || !taken_.insert(place).second) continue;
        return {place, was};
    }
}

} // namespace bowhist

#include <bowhist/library/spelling.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/io/temporary_file.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <system_error>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

/// f_type of statfs(2), where inode numbers depend on the spelling, or repeat.
constexpr std::array<std::uint32_t, 8> unsound_file_systems = {
    0x65735546, // FUSE
    0x2011BAB0, // exFAT
    0x00004D44, // FAT
    0xFF534D42, // CIFS
    0xFE534D42, // SMB2
    0x01021997, // 9P
    0x7366746E, // NTFS
    0x786F4256, // shared folders of VirtualBox
};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// In small letters. @param name  of ASCII
std::string folded(std::string name) {
    for (char &c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return name;
}

/// Equal for two spellings of a path. Unicode has several spellings of a letter, so of a name with
/// letters beyond ASCII only digits and marks count.
std::string spelling_key(const fs::path &path) {
    std::string key;
    for (const fs::path &part : path) {
        std::string name = folded(part.native());
        if (!is_ascii(name))
            std::erase_if(name, [](char c) { return is_letter(c) || (c & 0x80) != 0; });
        key.append("/").append(name);
    }
    return key;
}

/// With the case of each letter turned.
std::string turned(std::string name) {
    for (char &c : name)
        if (is_letter(c)) c = static_cast<char>(c ^ 0x20);
    return name;
}

std::optional<struct stat> stat_of(const std::string &path, bool follows_link = true) {
    struct stat found {};
    const int failed = follows_link ? ::stat(path.c_str(), &found) : ::lstat(path.c_str(), &found);
    return failed == 0 ? std::optional(found) : std::nullopt;
}

bool are_one_inode(const struct stat &one, const struct stat &other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

std::optional<bool> shows_file_of(const std::string &made_in, const std::string &looked_in) {
    try {
        const TemporaryFile file(fs::path(made_in) / "same-folder");
        if (file.path().parent_path() != fs::path(made_in)) return std::nullopt; // lies elsewhere
        return stat_of(fs::path(looked_in) / file.path().filename(), false).has_value();
    } catch (const Error &) {
        return std::nullopt;
    }
}

bool has_sound_inodes(const std::string &folder) {
    struct statfs found {};
    if (::statfs(folder.c_str(), &found) != 0) return true;
    return std::ranges::find(unsound_file_systems, static_cast<std::uint32_t>(found.f_type)) ==
           unsound_file_systems.end();
}

} // namespace

std::string ListedNames::of(const std::string &folder, const std::string &name) {
    const std::string front = folder.empty() ? "./" : folder + "/";
    if (std::ranges::none_of(name, is_letter) || !stat_of(front + turned(name), false)) return name;
    const auto given = stat_of(front + name, false);
    if (!given) return name;
    if (folder != folder_ || names_.empty()) list(folder);
    if (names_.contains(name)) return name;
    for (const std::string &listed : names_)
        if (folded(listed) == folded(name)) return listed;
    for (const std::string &listed : names_) { // another spelling of Unicode
        const auto found = is_ascii(listed) ? std::nullopt : stat_of(front + listed, false);
        if (found && are_one_inode(*found, *given)) return listed;
    }
    return name;
}

void ListedNames::list(const std::string &folder) {
    folder_ = folder;
    names_.clear();
    std::error_code error; // what cannot be listed keeps the names that are given
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error);
         !error && entry != fs::directory_iterator(); entry.increment(error))
        names_.insert(entry->path().filename());
}

std::string listed_path(const std::string &path) {
    std::error_code error;
    const fs::path whole = fs::canonical(path, error);
    if (error) return {};
    ListedNames names;
    std::string listed;
    for (const fs::path &name : whole.relative_path()) {
        const std::string found = names.of(listed.empty() ? "/" : listed, name);
        listed.append("/").append(found);
    }
    return listed.empty() ? "/" : listed;
}

FolderComparison comparison_on_disk() {
    return {has_sound_inodes, shows_file_of};
}

bool is_same_folder(const std::string &one, const std::string &other,
                    const FolderComparison &comparison) {
    const auto first = stat_of(one), second = stat_of(other);
    if (!first || !second || first->st_dev != second->st_dev) return false;
    const std::string first_path = listed_path(one), second_path = listed_path(other);
    if (!first_path.empty() && first_path == second_path) return true;
    const bool is_one = are_one_inode(*first, *second);
    if (comparison.has_sound_inodes(one)) return is_one;
    if (!is_one && spelling_key(first_path) != spelling_key(second_path)) return false;
    return comparison.shows_file(first_path, second_path).value_or(is_one);
}

FileIdentity::FileIdentity(const LibraryImage &image) {
    const auto found = stat_of(image.file());
    std::error_code error;
    const fs::path whole = fs::canonical(image.file(), error);
    if (!found || error) return;
    device_ = found->st_dev;
    inode_ = found->st_ino;
    size_ = static_cast<std::uint64_t>(found->st_size);
    modified_ = std::int64_t{found->st_mtim.tv_sec} * 1'000'000'000 + found->st_mtim.tv_nsec;
    folder_ = whole.parent_path();
    name_ = whole.filename();
    key_ = spelling_key(whole);
}

bool FileIdentity::is_same(const FileIdentity &other) const {
    if (key_.empty() || other.key_.empty() || device_ != other.device_) return false;
    if (inode_ == other.inode_) return true;
    if (key_ != other.key_ || size_ != other.size_ || modified_ != other.modified_) return false;
    ListedNames names;
    if (names.of(folder_, name_) != names.of(other.folder_, other.name_)) return false;
    return folder_ == other.folder_ || is_same_folder(folder_, other.folder_);
}

bool is_same_file(const LibraryImage &one, const LibraryImage &other) {
    return FileIdentity(one).is_same(FileIdentity(other));
}

} // namespace bowhist

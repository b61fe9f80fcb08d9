#include <bowhist/inputs/ignored.hpp>

#include <bowhist/io/ending.hpp>
#include <bowhist/io/near_names.hpp>

#include <algorithm>
#include <array>
#include <fnmatch.h>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// Folders by their names, whatever the case: many file systems keep none.
constexpr auto clutter = std::to_array<const char *>(
    {// Synology, QNAP, Western Digital, Thecus
     "@eaDir", "eaDir_tmp", "#recycle", "#snapshot", "@tmp", "@sharesnap", "@sharebin",
     "@SynoResource", ".SynologyWorkingDirectory", "@Recycle", "@Recently-Snapshot", "@Transcode",
     ".@*", ".qsync", ".qsync_sn", ".streams", ".wdmc", ".wdcache", "_NAS_Recycle_*",
     // file systems and Samba
     ".snapshot", ".snapshots", "~snapshot", ".zfs", "lost+found", "LOST.DIR", ".recycle*",
     // desktops, telephones and editors
     ".Trash*", ".globalTrash", ".dtrash", "$RECYCLE.BIN", "System Volume Information", ".thumb*",
     ".cache", ".xvpics", ".picasaoriginals", ".comments", "[[]Originals]", "*.lrdata",
     "iPod Photo Cache", "_vti_cnf",
     // macOS and netatalk
     "__MACOSX", ".AppleDouble", ".AppleDB", ".AppleDesktop", ".Spotlight-V100", ".fseventsd",
     ".TemporaryItems", ".DocumentRevisions-V100", "Network Trash Folder", "Temporary Items",
     // synchronization, Nextcloud, version control
     ".stversions", ".sync", ".SyncArchive", ".debris", ".dropbox.cache", "files_trashbin",
     "files_versions", "appdata_oc*", ".git", ".svn", ".hg", ".bzr",
     // beside pages of this program (report/page_files)
     "*.bowhist-????????????????"});

/// Names that are ordinary words in another case.
constexpr auto clutter_in_this_case =
    std::to_array<const char *>({"RECYCLER", "RECYCLED", "trashbox", "THMBNL", "AVCHDTN"});

/// Folders by their names and those that they lie in: a library's previews beside its originals.
constexpr auto clutter_in_a_folder = std::to_array<const char *>({
    "*.*photo*library/resources",
    "*.*photo*library/Thumbnails",
    "*.*photo*library/Previews",
    "*.aplibrary/Thumbnails",
    "*.aplibrary/Previews",
    "share/Trash",
});

bool matches_any(const auto &globs, const std::string &name, int flags) {
    return std::ranges::any_of(
        globs, [&](const char *glob) { return ::fnmatch(glob, name.c_str(), flags) == 0; });
}

bool is_hidden(const std::string &name) {
    return name.starts_with('.');
}

/// False where `text` does not begin so.
bool take_prefix(std::string_view &text, std::string_view start) {
    if (!text.starts_with(start)) return false;
    text.remove_prefix(start.size());
    return true;
}

bool take_suffix(std::string_view &text, std::string_view end) {
    if (!text.ends_with(end)) return false;
    text.remove_suffix(end.size());
    return true;
}

} // namespace

bool is_clutter(const fs::path &folder) {
    const std::string name = folder.filename().native();
    const std::string with_parent = folder.parent_path().filename().native() + '/' + name;
    return matches_any(clutter, name, FNM_CASEFOLD) || matches_any(clutter_in_this_case, name, 0) ||
           matches_any(clutter_in_a_folder, with_parent, FNM_CASEFOLD);
}

Exclusion::Exclusion(std::string_view glob) {
    while (take_suffix(glob, "/**") || take_suffix(glob, "/")) folders_only_ = true;
    while (take_prefix(glob, "**/")) any_depth_ = true;
    while (take_prefix(glob, "./") || take_prefix(glob, "/")) by_path_ = true;
    by_path_ = by_path_ || glob.find('/') != std::string_view::npos;
    glob_ = glob;
}

bool Exclusion::matches(const fs::path &below, bool is_folder) const {
    if (folders_only_ && !is_folder) return false;
    const auto match = [](const std::string &glob, const fs::path &path) {
        return ::fnmatch(glob.c_str(), path.c_str(), 0) == 0;
    };
    if (!by_path_) return match(glob_, below.filename());
    return match(glob_, below) || (any_depth_ && match("*/" + glob_, below));
}

bool Exclusion::nearly_matches(const fs::path &below, bool is_folder) const {
    if (is_ascii(glob_) || is_ascii(below.native())) return false;
    Exclusion other = *this;
    other.glob_ = composed(glob_);
    return !matches(below, is_folder) && other.matches(composed(below), is_folder);
}

IgnoreRules::IgnoreRules(const std::vector<std::string> &excluded, bool hidden)
    : excluded_(excluded.begin(), excluded.end()), hidden_(hidden) {}

bool IgnoreRules::is_excluded(const fs::path &below, bool is_folder) const {
    return std::ranges::any_of(
        excluded_, [&](const Exclusion &glob) { return glob.matches(below, is_folder); });
}

bool IgnoreRules::ignores_folder(const fs::path &path, const fs::path &below) const {
    return is_clutter(path) || (!hidden_ && is_hidden(path.filename())) || is_excluded(below, true);
}

std::string_view IgnoreRules::reason_to_ignore_file(const fs::path &below) const {
    const std::string name = below.filename();
    if (name.starts_with("._")) return "._*";
    if (is_excluded(below, false)) return "excluded";
    if (name.starts_with(".trashed-")) return "trashed"; // Android
    return is_hidden(name) && !hidden_ ? "hidden" : "";
}

const std::string *IgnoreRules::near_glob(const fs::path &below, bool is_folder) const {
    const auto near = std::ranges::find_if(
        excluded_, [&](const Exclusion &glob) { return glob.nearly_matches(below, is_folder); });
    return near == excluded_.end() ? nullptr : &near->glob();
}

std::string kind_of(const fs::path &path) {
    const std::string ending = ending_of(path);
    if (ending.size() < 2) return "no ending";
    constexpr std::size_t longest = 8;
    const bool plain =
        ending.size() <= longest &&
        ending.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789", 1) == std::string::npos;
    return plain ? ending : "others";
}

} // namespace bowhist

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Whether programs keep thumbnails, deleted files, old versions or their own books in the folder,
/// by its name and the name of the folder that it lies in: `@eaDir`, `.Trash-1000`, `.git`.
bool is_clutter(const std::filesystem::path &folder);

/// A glob of --exclude, as fnmatch(3) reads it: `*` matches dots and slashes, too.
///
/// `*.png` is compared with the name of each file and folder. A glob that holds a slash is compared
/// with the whole path below the named folder: `2019/raw`, `2019/*.png`. A slash in front only says
/// so (`/raw`), one behind limits it to folders (`raw/`, `2019/raw/`), as a final `/**` does. `**/`
/// in front: at any depth (`**/2019/raw`). An empty glob excludes nothing.
class Exclusion {
  public:
    explicit Exclusion(std::string_view glob);

    /// @param below the path below the named folder
    bool matches(const std::filesystem::path &below, bool is_folder) const;

    /// Whether it does not match a name that looks like one that it matches (near_names.hpp).
    bool nearly_matches(const std::filesystem::path &below, bool is_folder) const;

    const std::string &glob() const { return glob_; } ///< without slashes at its ends

  private:
    std::string glob_;
    bool folders_only_ = false;
    bool any_depth_ = false;
    bool by_path_ = false;
};

/// Rules for files and folders that are ignored below a named folder, unless they are named
/// themselves.
class IgnoreRules {
  public:
    /// @param hidden whether files and folders whose names begin with a dot are taken
    IgnoreRules(const std::vector<std::string> &excluded, bool hidden);

    /// @param path its name is looked at, and that of the folder that it lies in
    /// @param below the path below the named folder
    bool ignores_folder(const std::filesystem::path &path,
                        const std::filesystem::path &below) const;

    /// A word for the last line of a run: "._*" (what macOS keeps beside a file), "trashed" (what
    /// Android keeps for a month), "excluded", "hidden"; empty where the file's name is no reason
    /// to ignore it.
    std::string_view reason_to_ignore_file(const std::filesystem::path &below) const;

    /// The glob of --exclude that nearly matches this path, which is not ignored; null without.
    const std::string *near_glob(const std::filesystem::path &below, bool is_folder) const;

  private:
    bool is_excluded(const std::filesystem::path &below, bool is_folder) const;

    std::vector<Exclusion> excluded_;
    bool hidden_;
};

/// A word for the last line of a run: the file's ending in lower case (".cr2"), "no ending", or
/// "others" where it is long or odd.
std::string kind_of(const std::filesystem::path &file);

} // namespace bowhist

#include <bowhist/library/known_roots.hpp>

#include <bowhist/inputs/ignored.hpp>
#include <bowhist/library/spelling.hpp>
#include <bowhist/pictures/picture.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

/// Whether one of the first files of a root lies below this folder, as the library knows it.
bool holds_known_file(Catalogue &catalogue, RowId root, const std::string &folder) {
    Statement files(catalogue.database(),
                    "SELECT files.folder, files.name, files.size, files.modified FROM files JOIN "
                    "folders ON folders.id = files.folder WHERE folders.root = ?1 AND files.gone "
                    "IS NULL ORDER BY files.id LIMIT 1000");
    files.with(root);
    while (files.step()) {
        const std::string path = with_slash(folder) + catalogue.folder_row(files.number(0)).path +
                                 std::string(files.bytes(1));
        struct stat found {};
        if (::stat(path.c_str(), &found) != 0) continue;
        const auto modified =
            std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
        if (found.st_size == files.number(2) && modified == files.number(3)) return true;
    }
    return false;
}

/// A root whose place is not there, or whose library was moved or copied, is here with the working
/// directory, if its path leads to one of its files.
void follow(Catalogue &catalogue, bool library_moved, RootRow &root) {
    std::error_code error;
    if (root.path.starts_with('/')) return;
    if (!library_moved && fs::exists(root.place, error)) return;
    const std::string here = whole_path(root.path);
    if (holds_known_file(catalogue, root.id, here)) root.place = here;
}

bool has_moved(Catalogue &catalogue) {
    const auto place = catalogue.about("place");
    return place && *place != listed_path(catalogue.database().path().native());
}

} // namespace

std::string KnownRoot::below(const std::string &folder) const {
    const std::size_t front = with_slash(whole).size();
    return folder.size() < front ? std::string() : folder.substr(front);
}

bool KnownRoot::reaches(const std::string &folder) const {
    if (whole.empty() || folder == whole || !folder.starts_with(with_slash(whole))) return false;
    const IgnoreRules rules(row.excluded, row.hidden);
    fs::path way;
    for (const fs::path &part : fs::path(below(folder))) {
        way /= part;
        if (rules.ignores_folder(whole / way, way)) return false;
    }
    return true;
}

bool KnownRoot::lists(const std::string &folder, const std::string &name) const {
    return has_image_ending(name) && IgnoreRules(row.excluded, row.hidden)
                                         .reason_to_ignore_file(fs::path(below(folder)) / name)
                                         .empty();
}

KnownRoots::KnownRoots(Catalogue &catalogue) {
    of_files_.place = whole_path("");
    const bool moved = has_moved(catalogue);
    for (RootRow &root : catalogue.roots()) {
        follow(catalogue, moved, root);
        if (root.path.empty()) {
            of_files_ = std::move(root);
            continue;
        }
        const std::string opened = opened_front(root);
        const std::string whole = listed_path(opened);
        const KnownRoot *first = same(opened, whole);
        (first == nullptr ? all_ : repeated_).push_back({std::move(root), opened, whole});
    }
}

const KnownRoot *KnownRoots::same(const std::string &path, const std::string &whole) const {
    for (const KnownRoot &root : all_) {
        if (!whole.empty() && root.whole == whole) return &root;
        if (!path.empty() && is_same_folder(path, root.opened)) return &root;
    }
    return nullptr;
}

const KnownRoot *KnownRoots::around(const std::string &whole) const {
    const KnownRoot *innermost = nullptr;
    for (const KnownRoot &root : all_)
        if (root.reaches(whole) &&
            (innermost == nullptr || root.whole.size() > innermost->whole.size()))
            innermost = &root;
    return innermost;
}

const KnownRoot *KnownRoots::named(const std::string &path) const {
    for (const KnownRoot &root : all_)
        if (with_slash(root.row.path) == with_slash(path)) return &root;
    return nullptr;
}

} // namespace bowhist

#include <bowhist/index/upkeep.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/library/known_roots.hpp>

#include <fmt/format.h>

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace bowhist {
namespace {

void replace(Catalogue &catalogue, RowId old, RowId found, std::int64_t run) {
    FileRow row = catalogue.file(found);
    catalogue.erase_file(found);
    row.id = old;
    row.run = run;
    catalogue.update(row);
}

bool matches(const std::string &pattern, const std::string &path) {
    const bool below =
        path.starts_with(pattern) &&
        (path.size() == pattern.size() || pattern.ends_with('/') || path[pattern.size()] == '/');
    return below || ::fnmatch(pattern.c_str(), path.c_str(), 0) == 0;
}

/// The path with `to` in the place of `from` at its beginning; nothing where it lies elsewhere.
std::optional<std::string> moved(std::string_view path, const std::string &from,
                                 const std::string &to) {
    if (!path.starts_with(from)) return std::nullopt;
    const std::string_view rest = path.substr(from.size());
    if (!rest.empty() && rest.front() != '/' && !from.ends_with('/')) return std::nullopt;
    return to + std::string(rest);
}

/// Files that were named by paths in `from`. @return folders
std::size_t move_named(Catalogue &catalogue, const RootRow &root, const std::string &from,
                       const std::string &to) {
    const std::string there = opened_front(root).empty() ? to : whole_path(to);
    return catalogue.rename_folders(
        root.id, [&](std::string_view path) { return moved(path, from, there); });
}

} // namespace

std::size_t
find_moved(Catalogue &catalogue, std::int64_t last_whole_run, std::int64_t run,
           const std::function<void(const std::string &from, const std::string &to)> &moved) {
    Database &database = catalogue.database();
    Statement gone(database, "SELECT DISTINCT content FROM files INDEXED BY files_gone WHERE gone "
                             "IS NOT NULL AND content IS NOT NULL");
    Statement fresh(database, "SELECT 1 FROM files WHERE content = ?1 AND gone IS NULL AND run > "
                              "?2 LIMIT 1");
    Statement pair(database,
                   "SELECT old.id, new.id FROM files AS old JOIN files AS new ON new.content = "
                   "old.content WHERE old.content = ?1 AND old.gone IS NOT NULL AND old.run <= ?2 "
                   "AND new.gone IS NULL AND new.run > ?2 ORDER BY old.id, new.id LIMIT 1");
    Statement path(database, "SELECT path FROM paths WHERE id = ?1");
    const auto path_of = [&](RowId id) {
        return path.with(id).step() ? std::string(path.bytes(0)) : std::string();
    };
    std::vector<RowId> contents;
    while (gone.step())
        if (fresh.with(gone.number(0), last_whole_run).step()) contents.push_back(gone.number(0));
    std::size_t count = 0;
    for (const RowId content : contents)
        while (pair.with(content, last_whole_run).step()) {
            const RowId old = pair.number(0);
            const RowId found = pair.number(1);
            pair.reset();
            moved(path_of(old), path_of(found));
            path.reset();
            replace(catalogue, old, found, std::min(run, last_whole_run));
            ++count;
        }
    return count;
}

namespace {

namespace fs = std::filesystem;

/// The images of one folder that the library knows.
struct KnownImages {
    std::int64_t all = 0, gone = 0;
    std::int64_t newest_gone = 0; ///< the last run that found one of those that are gone
    std::int64_t oldest_left =
        std::numeric_limits<std::int64_t>::max(); ///< the first run that
                                                  ///< found one of the others

    void add(const KnownImages &more) {
        all += more.all;
        gone += more.gone;
        newest_gone = std::max(newest_gone, more.newest_gone);
        oldest_left = std::min(oldest_left, more.oldest_left);
    }
    /// Images that came later than those that are gone do not count: a folder where a disk was
    /// mounted may hold some.
    bool are_all_gone() const { return gone > 0 && oldest_left > newest_gone; }
};

using ImagesByFolder = std::map<std::pair<RowId, std::string>, KnownImages>; ///< root and path

ImagesByFolder images_by_folder(Catalogue &catalogue) {
    Statement count(catalogue.database(),
                    "SELECT count(*), count(gone), ifnull(max(run) FILTER (WHERE gone IS NOT NULL),"
                    " 0), min(run) FILTER (WHERE gone IS NULL) FROM files JOIN contents ON "
                    "contents.id = content WHERE folder = ?1 AND contents.skipped IS NULL");
    ImagesByFolder all;
    for (const RootRow &root : catalogue.roots())
        catalogue.for_each_folder(root.id, [&](RowId id, std::string_view path) {
            count.with(id).step();
            KnownImages images{count.number(0), count.number(1), count.number(2)};
            if (const auto oldest = count.optional_number(3)) images.oldest_left = *oldest;
            all[{root.id, std::string(path)}] = images;
        });
    return all;
}

/// The images of a folder with those in it.
KnownImages images_in(const ImagesByFolder &folders, const ImagesByFolder::key_type &folder) {
    KnownImages images;
    for (auto one = folders.lower_bound(folder);
         one != folders.end() && one->first.first == folder.first &&
         one->first.second.starts_with(folder.second);
         ++one)
        images.add(one->second);
    return images;
}

fs::path without_slash(const std::string &folder) {
    if (folder.empty()) return ".";
    return folder.ends_with('/') && folder.size() > 1 ? folder.substr(0, folder.size() - 1)
                                                      : folder;
}

/// The path of the nearest folder around one that is there, or a link that leads nowhere.
std::string nearest_there(const FilePlaces &places, RowId root, std::string path) {
    const auto is_there = [&](const std::string &below) {
        std::error_code unknown;
        return fs::exists(fs::symlink_status(without_slash(places.folder(root, below)), unknown));
    };
    while (!path.empty() && !is_there(path)) {
        path.pop_back();
        path.erase(path.rfind('/') + 1); // 0 without a slash
    }
    return path;
}

} // namespace

std::string doubt_of_gone(Catalogue &catalogue) {
    const ImagesByFolder folders = images_by_folder(catalogue);
    std::map<RowId, std::string> fronts;
    for (const RootRow &root : catalogue.roots()) fronts[root.id] = with_slash(root.path);
    const FilePlaces places(catalogue.roots());
    KnownImages all;
    std::set<ImagesByFolder::key_type> met;
    for (const auto &[folder, images] : folders) {
        all.add(images);
        if (images.gone == 0) continue;
        const auto &[root, path] = folder;
        const auto [there, is_new] = met.emplace(root, nearest_there(places, root, path));
        if (!is_new) continue;
        const KnownImages held = images_in(folders, *there);
        if (held.are_all_gone())
            return fmt::format("{}: holds none of the {} that it held, as where its disk is not "
                               "mounted",
                               without_slash(fronts.at(root) + there->second),
                               counted(static_cast<std::size_t>(held.gone), "picture"));
    }
    if (2 * all.gone <= all.all) return {};
    return fmt::format("{} of {} pictures are gone, more than half", all.gone, all.all);
}

std::size_t forget_gone(Catalogue &catalogue) {
    Database &database = catalogue.database();
    const auto count = database.number("SELECT count(*) FROM files WHERE gone IS NOT NULL");
    database.run("DELETE FROM files WHERE gone IS NOT NULL");
    return static_cast<std::size_t>(count);
}

namespace {

/// Whether a walk of the root takes a file that is there.
bool takes(const KnownRoot &root, const std::string &below, const std::string &name) {
    const std::string folder = with_slash(root.whole) + below;
    const std::string listed = below.empty() ? root.whole : folder.substr(0, folder.size() - 1);
    std::error_code unknown;
    return (below.empty() || root.reaches(listed)) && root.lists(listed, name) &&
           fs::exists(root.opened + below + name, unknown);
}

/// Deletes a row, and counts a file that the next run takes in again.
void remove(Catalogue &catalogue, const KnownRoots &roots, RowId id, const std::string &path,
            RemovedFiles &removed) {
    const std::string name = catalogue.file(id).name;
    const Catalogue::Folder folder = catalogue.folder_row(catalogue.file(id).folder);
    catalogue.erase_file(id);
    ++removed.count;
    const auto root = std::ranges::find(roots.all(), folder.root,
                                        [](const KnownRoot &one) { return one.row.id; });
    if (root == roots.all().end() || !takes(*root, folder.path, name)) return;
    if (++removed.still_there > 1) return;
    removed.first = path;
    removed.root = root->row;
}

} // namespace

RemovedFiles remove_files(Catalogue &catalogue, const std::vector<std::string> &patterns,
                          Observer &observer) {
    std::vector<std::pair<RowId, std::string>> rows;
    std::string near;
    Statement paths(catalogue.database(), "SELECT id, path FROM paths ORDER BY path");
    while (paths.step()) {
        const std::string path(paths.bytes(1));
        if (std::ranges::any_of(patterns, [&](const auto &one) { return matches(one, path); }))
            rows.emplace_back(paths.number(0), path);
        else if (rows.empty() && near.empty() && std::ranges::any_of(patterns, [&](auto &one) {
                     return matches(composed(one), composed(path));
                 }))
            near = path;
    }
    if (rows.empty())
        observer.warning(fmt::format("{} has no path that --remove names; give whole paths, as "
                                     "search and export print them{}",
                                     catalogue.database().path(), did_you_mean(near)));
    const KnownRoots roots(catalogue);
    RemovedFiles removed;
    for (const auto &[id, path] : rows) remove(catalogue, roots, id, path, removed);
    return removed;
}

void forget_skips(Catalogue &catalogue) {
    Database &database = catalogue.database();
    std::vector<std::pair<RowId, std::string>> reasons;
    Statement kept(database, "SELECT files.id, contents.skipped FROM contents CROSS JOIN files ON "
                             "files.content = contents.id WHERE contents.skipped IS NOT NULL");
    while (kept.step()) reasons.emplace_back(kept.number(0), kept.bytes(1));
    for (const auto &[id, reason] : reasons) {
        FileRow file = catalogue.file(id);
        file.content.reset();
        file.skipped = reason;
        catalogue.update(file);
    }
    database.run("DELETE FROM contents WHERE skipped IS NOT NULL");
}

void drop_unused(Catalogue &catalogue) {
    Database &database = catalogue.database();
    database.run("DELETE FROM contents WHERE id NOT IN (SELECT content FROM files WHERE content "
                 "IS NOT NULL)");
    for (const char *table : {"words", "codes", "thumbnails", "unindexed"})
        database.run(
            fmt::format("DELETE FROM {} WHERE content NOT IN (SELECT id FROM contents)", table));
    database.run("DELETE FROM members WHERE file NOT IN (SELECT id FROM files)");
    database.run("DELETE FROM folders WHERE id NOT IN (SELECT folder FROM files)");
}

void move_roots(Catalogue &catalogue, const std::string &from, const std::string &to) {
    std::size_t count = 0;
    std::string near;
    for (RootRow root : catalogue.roots()) {
        if (moved(composed(root.path), composed(from), to)) near = root.path;
        if (root.path.empty()) count += move_named(catalogue, root, from, to);
        if (const auto path = root.path.empty() ? std::nullopt : moved(root.path, from, to)) {
            root.path = *path;
            root.place = whole_path(*path);
        } else if (const auto place = moved(root.place, from, to)) {
            root.place = whole_path(*place);
        } else {
            continue;
        }
        catalogue.rename_root(root);
        ++count;
    }
    if (count == 0)
        throw Error(Fault::usage,
                    fmt::format("{} has nothing in {}; bowhist status lists its folders{}",
                                catalogue.database().path(), std::filesystem::path(from),
                                did_you_mean(near)));
}

} // namespace bowhist

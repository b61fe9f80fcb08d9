#include <bowhist/library/upkeep.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/file_places.hpp>

#include <fmt/format.h>

#include <fnmatch.h>

#include <algorithm>
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

std::size_t forget_gone(Catalogue &catalogue) {
    Database &database = catalogue.database();
    const auto count = database.number("SELECT count(*) FROM files WHERE gone IS NOT NULL");
    database.run("DELETE FROM files WHERE gone IS NOT NULL");
    return static_cast<std::size_t>(count);
}

std::size_t remove_files(Catalogue &catalogue, const std::vector<std::string> &patterns) {
    std::vector<RowId> rows;
    Statement paths(catalogue.database(), "SELECT id, path FROM paths");
    while (paths.step()) {
        const std::string path(paths.bytes(1));
        if (std::ranges::any_of(patterns, [&](const auto &one) { return matches(one, path); }))
            rows.push_back(paths.number(0));
    }
    for (const RowId row : rows) catalogue.erase_file(row);
    return rows.size();
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
    for (RootRow root : catalogue.roots()) {
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
                    fmt::format("{} has nothing in {}; bowhist status lists its folders",
                                catalogue.database().path(), std::filesystem::path(from)));
}

} // namespace bowhist

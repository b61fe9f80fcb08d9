#include <bowhist/library/walk.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/library/known_roots.hpp>
#include <bowhist/library/spelling.hpp>

#include <fmt/format.h>

#include <system_error>
#include <utility>
#include <vector>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

std::vector<std::pair<RowId, std::string>> folders_of(Catalogue &catalogue, RowId root) {
    std::vector<std::pair<RowId, std::string>> folders;
    catalogue.for_each_folder(
        root, [&](RowId id, std::string_view path) { folders.emplace_back(id, path); });
    return folders;
}

/// Without a slash at its end, if it has a name.
fs::path folder_in(const std::string &path) {
    const fs::path folder(path);
    return folder.has_filename() ? folder : folder.parent_path();
}

} // namespace

std::size_t Walk::run(const Targets &targets) {
    FolderSearch search(InputSource{}, observer_);
    for (const std::string &root : targets.roots) search.leave_out(root);
    for (const RootRow &root : targets.repeated) leave(root);
    for (const FolderTarget &target : targets.folders) walk(target, search);
    for (const auto &[key, target] : targets.files) look_at(target);
    ingest_.finish();
    return unlisted_;
}

void Walk::walk(const FolderTarget &target, FolderSearch &search) {
    const fs::path opened = folder_in(target.opened);
    std::error_code unknown;
    if (!fs::exists(opened, unknown)) {
        ++unlisted_;
        return observer_.skipped(fmt::format(
            "{}: {} is not there; its pictures stay in the "
            "library (if it is elsewhere now: --root {}=NEW)",
            fs::path(target.root.path), fs::path(target.root.place), fs::path(target.root.path)));
    }
    ingest_.begin_writing();
    const RootRow root = catalogue_.put_root(target.root);
    const std::string front = with_slash(root.path);
    if (target.root.id == 0) take_named(root, target.opened);
    if (is_empty_folder(opened))
        return observer_.warning(fmt::format("{}: an empty folder; images that it held stay in the "
                                             "library, in case its disk is not mounted",
                                             folder_in(front + target.below)));
    if (target.opened != front + target.below)
        observer_.note(fmt::format("{} is {}", folder_in(front + target.below), opened));
    search.set_rules(root.excluded, root.hidden);
    const auto use = [&](ListedFolder &&folder) {
        if (!folder.is_whole) {
            ++unlisted_;
            unlisted_roots_.insert(root.id);
        }
        if (cut_) cut_->take(folder.names);
        const std::string below = with_slash(folder.below.native());
        RowId row = catalogue_.known_folder(root.id, below);
        if (row == 0 && folder.names.empty()) return;
        ingest_.begin_writing();
        if (row == 0) row = catalogue_.folder(root.id, below);
        met_.insert(row);
        merge_.folder(row, {front + below, with_slash(folder.path.native())},
                      bowhist::look_at(folder.path, std::move(folder.names)),
                      folder.is_whole && !cut_);
    };
    search.visit(opened, use, folder_in(target.below));
    ingest_.finish();
    mark_unmet(root, target.below);
}

void Walk::leave(const RootRow &root) {
    if (cut_) return;
    observer_.note(fmt::format("{}: the folder of another root under another spelling; its "
                               "pictures stay there alone",
                               fs::path(root.path)));
    for (const auto &[folder, path] : folders_of(catalogue_, root.id))
        merge_.gone_folder(folder, with_slash(root.path) + path);
}

void Walk::mark_unmet(const RootRow &root, const std::string &below) {
    if (cut_ || unlisted_roots_.contains(root.id))
        return; // what could not be listed may still be there
    for (const auto &[folder, path] : folders_of(catalogue_, root.id))
        if (path.starts_with(below) && !met_.contains(folder))
            merge_.gone_folder(folder, with_slash(root.path) + path);
}

void Walk::look_at(const FileTarget &target) {
    ingest_.begin_writing();
    const RootRow root = catalogue_.put_root(target.root);
    std::vector<std::string> names(target.names.begin(), target.names.end());
    if (cut_) cut_->take(names);
    if (names.empty()) return;
    const RowId folder = catalogue_.folder(root.id, target.below);
    merge_.folder(folder, {with_slash(root.path) + target.below, target.opened},
                  bowhist::look_at(target.opened, std::move(names)), false);
}

void Walk::take_named(const RootRow &root, const std::string &opened) {
    const KnownRoots roots(catalogue_);
    const RootRow &named = roots.of_files();
    const KnownRoot whole{root, opened, listed_path(opened)};
    const FilePlaces places({named});
    for (const auto &[id, path] : folders_of(catalogue_, named.id)) {
        const std::string front = places.folder(named.id, path);
        const std::string folder = listed_path(front.empty() ? "." : front);
        if (folder != whole.whole && !whole.reaches(folder)) continue;
        for (FileRow &file : catalogue_.files(id)) {
            if (!whole.lists(folder, file.name)) continue;
            file.folder = catalogue_.folder(root.id, with_slash(whole.below(folder)));
            catalogue_.take(file);
        }
    }
}

void list_targets(
    const Targets &targets, Observer &observer,
    const std::function<void(const std::string &front, const std::string &name)> &use) {
    FolderSearch search(InputSource{}, observer);
    for (const std::string &root : targets.roots) search.leave_out(root);
    for (const FolderTarget &target : targets.folders) {
        const fs::path opened = folder_in(target.opened);
        std::error_code unknown;
        if (!fs::exists(opened, unknown) || is_empty_folder(opened)) continue;
        const std::string front = with_slash(target.root.path);
        search.set_rules(target.root.excluded, target.root.hidden);
        search.visit(
            opened,
            [&](ListedFolder &&folder) {
                const std::string below = with_slash(folder.below.native());
                for (const std::string &name : folder.names) use(front + below, name);
            },
            folder_in(target.below));
    }
    for (const auto &[key, target] : targets.files)
        for (const std::string &name : target.names)
            use(with_slash(target.root.path) + target.below, name);
}

} // namespace bowhist

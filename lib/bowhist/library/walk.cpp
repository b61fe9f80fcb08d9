#include <bowhist/library/walk.hpp>

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

#include <system_error>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

std::string with_slash(std::string folder) {
    if (!folder.empty() && folder.back() != '/') folder += '/';
    return folder;
}

bool is_empty_folder(const fs::path &folder) {
    std::error_code error;
    const fs::directory_iterator first(folder, error);
    return !error && first == fs::directory_iterator();
}

void add_file(Targets &targets, const std::string &path) {
    const auto slash = path.rfind('/');
    const std::size_t front = slash == std::string::npos ? 0 : slash + 1;
    targets.files[path.substr(0, front)].insert(path.substr(front));
}

Targets known_targets(Catalogue &catalogue) {
    Targets targets;
    for (RootRow &root : catalogue.roots()) {
        if (!root.path.empty()) {
            targets.folders.push_back(std::move(root));
            continue;
        }
        std::vector<std::pair<RowId, std::string>> folders;
        catalogue.for_each_folder(
            root.id, [&](RowId id, std::string_view path) { folders.emplace_back(id, path); });
        for (const auto &[id, path] : folders)
            for (const FileRow &file : catalogue.files(id)) targets.files[path].insert(file.name);
    }
    return targets;
}

} // namespace

Targets targets_of(Catalogue &catalogue, const InputSource &inputs, std::size_t &skipped,
                   Observer &observer) {
    if (inputs.arguments.empty() && inputs.list.empty()) return known_targets(catalogue);
    Targets targets;
    const fs::path &library = catalogue.database().path();
    skipped += for_each_path(inputs, observer, [&](const fs::path &path) {
        std::error_code error;
        if (fs::equivalent(path, library, error)) {
            ++skipped;
            observer.skipped(fmt::format("{}: this library itself; leave it out", path));
        } else if (fs::is_directory(path, error))
            targets.folders.push_back(
                {.path = path.native(), .excluded = inputs.excluded, .hidden = inputs.hidden});
        else
            add_file(targets, path.native());
    });
    return targets;
}

InputSource source_of(const Targets &targets) {
    InputSource source;
    for (const RootRow &root : targets.folders) {
        source.arguments.push_back(root.path);
        source.excluded.insert(source.excluded.end(), root.excluded.begin(), root.excluded.end());
        source.hidden = source.hidden || root.hidden;
    }
    for (const auto &[front, names] : targets.files)
        for (const std::string &name : names) source.arguments.push_back(front + name);
    return source;
}

std::size_t Walk::run(const Targets &targets) {
    FolderSearch search(InputSource{}, observer_);
    for (const RootRow &root : targets.folders) walk(root, search);
    if (!targets.files.empty()) look_at_files(targets.files);
    ingest_.finish();
    return unlisted_;
}

void Walk::walk(const RootRow &asked, FolderSearch &search) {
    ingest_.begin_writing();
    const RootRow root = catalogue_.put_root(asked);
    const std::string front = with_slash(root.path);
    if (is_empty_folder(root.path)) {
        observer_.warning(fmt::format("{}: an empty folder; images that it held stay in the "
                                      "library, in case its disk is not mounted",
                                      fs::path(root.path)));
        return;
    }
    search.set_rules(root.excluded, root.hidden);
    bool is_whole = true;
    std::set<RowId> met;
    search.visit(root.path, [&](ListedFolder &&folder) {
        is_whole = is_whole && folder.is_whole;
        unlisted_ += folder.is_whole ? 0 : 1;
        const std::string below = with_slash(folder.below.native());
        RowId row = catalogue_.known_folder(root.id, below);
        if (row == 0 && folder.names.empty()) return;
        ingest_.begin_writing();
        if (row == 0) row = catalogue_.folder(root.id, below);
        met.insert(row);
        merge_.folder(row, front + below, look_at(folder.path, std::move(folder.names)),
                      folder.is_whole);
    });
    ingest_.finish();
    if (!is_whole) return; // what could not be listed may still be there
    std::vector<std::pair<RowId, std::string>> others;
    catalogue_.for_each_folder(root.id, [&](RowId folder, std::string_view below) {
        if (!met.contains(folder)) others.emplace_back(folder, front + std::string(below));
    });
    for (const auto &[folder, prefix] : others) merge_.gone_folder(folder, prefix);
}

void Walk::look_at_files(const std::map<std::string, std::set<std::string>> &files) {
    for (const auto &[front, names] : files) {
        ingest_.begin_writing();
        const RootRow root = catalogue_.put_root({});
        const RowId folder = catalogue_.folder(root.id, front);
        merge_.folder(folder, front, look_at(front, {names.begin(), names.end()}), false);
    }
}

} // namespace bowhist

#include <bowhist/library/targets.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/library/known_roots.hpp>
#include <bowhist/library/spelling.hpp>
#include <bowhist/pictures/picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

/// As a walk meets it: file systems that fold names may number each spelling on its own.
const std::string &place_of(const KnownRoot &root) {
    return root.whole.empty() ? root.opened : root.whole;
}

/// Finds the roots of what is named.
class TargetFinder {
  public:
    TargetFinder(Catalogue &catalogue, const InputSource &inputs, Observer &observer)
        : roots_(catalogue), inputs_(inputs), observer_(observer),
          is_files_place_(opened_front(roots_.of_files()).empty()) {}

    void add_folder(const std::string &path) {
        const std::string whole = listed_path(path);
        if (const KnownRoot *same = roots_.same(path, whole)) {
            RootRow row = same->row;
            row.excluded = inputs_.excluded;
            row.hidden = inputs_.hidden;
            add_root(row, same->opened);
        } else if (const KnownRoot *around = roots_.around(whole)) {
            add_part(*around, path, whole);
        } else {
            add_root(new_root(path), with_slash(path));
            roots_.add(targets_.folders.back().root, with_slash(path), whole);
        }
        add_roots_in(whole);
    }

    void add_file(const std::string &path) {
        const auto slash = path.rfind('/');
        const std::size_t front = slash == std::string::npos ? 0 : slash + 1;
        const std::string folder = path.substr(0, front);
        const std::string name = names_.of(folder.empty() ? "." : folder, path.substr(front));
        const FileTarget target = folder_of(folder, name);
        targets_.files.try_emplace(target.root.path + '\0' + target.below, target)
            .first->second.names.insert(name);
    }

    Targets take() && {
        for (const KnownRoot &root : roots_.all()) targets_.roots.push_back(place_of(root));
        for (const KnownRoot &root : roots_.repeated()) targets_.repeated.push_back(root.row);
        return std::move(targets_);
    }

  private:
    void add_root(const RootRow &row, const std::string &opened) {
        for (FolderTarget &target : targets_.folders) {
            if (target.root.path != row.path || !target.below.empty()) continue;
            target.root = row;
            return;
        }
        targets_.folders.push_back({row, opened});
    }

    /// A name that the library has for another folder stays that folder's.
    RootRow new_root(const std::string &path) {
        RootRow row{.path = path,
                    .excluded = inputs_.excluded,
                    .hidden = inputs_.hidden,
                    .place = whole_path(path)};
        const KnownRoot *other = roots_.named(path);
        if (other == nullptr) return row;
        observer_.warning(fmt::format("{}: the library has another folder of that name, {}; this "
                                      "one is {} there (if it was moved here: --root {}={})",
                                      fs::path(path), fs::path(other->row.place),
                                      fs::path(row.place), fs::path(other->row.path),
                                      fs::path(path)));
        row.path = row.place;
        return row;
    }

    void add_part(const KnownRoot &around, const std::string &path, const std::string &whole) {
        if (!inputs_.excluded.empty() || inputs_.hidden)
            observer_.warning(fmt::format("{}: a part of {}, whose --exclude and --hidden stay; "
                                          "name {} to change them",
                                          fs::path(path), fs::path(around.row.path),
                                          fs::path(around.row.path)));
        const std::string below = with_slash(around.below(whole));
        targets_.folders.push_back({around.row, around.opened + below, below});
    }

    /// Roots in a folder that is named are named with it.
    void add_roots_in(const std::string &folder) {
        const KnownRoot *outer = roots_.same("", folder);
        if (outer == nullptr) return;
        for (const KnownRoot &root : roots_.all())
            if (&root != outer && outer->reaches(root.whole)) {
                const bool is_there =
                    std::ranges::any_of(targets_.folders, [&](const FolderTarget &target) {
                        return target.root.path == root.row.path && target.below.empty();
                    });
                if (!is_there) targets_.folders.push_back({root.row, root.opened});
            }
    }

    FileTarget folder_of(const std::string &front, const std::string &name) {
        const auto [known, is_new] = folders_.try_emplace(front);
        if (is_new) known->second = listed_path(front.empty() ? "." : front);
        const std::string &whole = known->second;
        const KnownRoot *root = roots_.same("", whole);
        if (root == nullptr) root = roots_.around(whole);
        if (root != nullptr && root->lists(whole, name)) {
            const std::string below = with_slash(root->below(whole));
            return {root->row, root->opened + below, below};
        }
        const bool is_here = is_files_place_ || front.starts_with('/');
        return {roots_.of_files(), front, is_here ? front : with_slash(whole_path(front))};
    }

    KnownRoots roots_;
    const InputSource &inputs_;
    Observer &observer_;
    bool is_files_place_; ///< whether the working directory is that of files that were named
    ListedNames names_;
    std::map<std::string, std::string>
        folders_; ///< listed_path() of what stands before files' names
    Targets targets_;
};

Targets known_targets(Catalogue &catalogue) {
    Targets targets;
    const KnownRoots roots(catalogue);
    for (const KnownRoot &root : roots.all()) {
        targets.folders.push_back({root.row, root.opened});
        targets.roots.push_back(place_of(root));
    }
    for (const KnownRoot &root : roots.repeated()) targets.repeated.push_back(root.row);
    const RootRow &files = roots.of_files();
    const FilePlaces places({files});
    std::vector<std::pair<RowId, std::string>> folders;
    catalogue.for_each_folder(
        files.id, [&](RowId id, std::string_view path) { folders.emplace_back(id, path); });
    for (const auto &[id, path] : folders) {
        FileTarget target{files, places.folder(files.id, path), path};
        for (const FileRow &file : catalogue.files(id)) target.names.insert(file.name);
        targets.files.emplace(path, std::move(target));
    }
    return targets;
}

} // namespace

Targets targets_of(Catalogue &catalogue, const InputSource &inputs, std::size_t &skipped,
                   Observer &observer) {
    if (inputs.arguments.empty() && inputs.list.empty()) return known_targets(catalogue);
    TargetFinder finder(catalogue, inputs, observer);
    const fs::path &library = catalogue.database().path();
    skipped += for_each_path(inputs, observer, [&](const fs::path &path) {
        std::error_code error;
        if (fs::equivalent(path, library, error)) {
            ++skipped;
            observer.skipped(fmt::format("{}: this library itself; leave it out", path));
        } else if (fs::is_directory(path, error))
            finder.add_folder(path.native());
        else
            finder.add_file(path.native());
    });
    return std::move(finder).take();
}

InputSource source_of(const Targets &targets) {
    InputSource source;
    for (const FolderTarget &folder : targets.folders) {
        const RootRow &root = folder.root;
        source.arguments.push_back(folder.opened);
        source.excluded.insert(source.excluded.end(), root.excluded.begin(), root.excluded.end());
        source.hidden = source.hidden || root.hidden;
    }
    for (const auto &[key, folder] : targets.files)
        for (const std::string &name : folder.names)
            source.arguments.push_back(folder.opened + name);
    return source;
}

void require_any(const Targets &targets) {
    if (!targets.folders.empty() || targets.files.empty()) return;
    std::error_code unknown;
    for (const auto &[key, folder] : targets.files)
        for (const std::string &name : folder.names)
            if (fs::symlink_status(folder.opened + name, unknown).type() !=
                fs::file_type::not_found)
                return;
    const FileTarget &first = targets.files.begin()->second;
    const fs::path path = first.opened + *first.names.begin();
    throw Error(Fault::input, fmt::format("{}: there is no such file; name pictures or folders{}",
                                          path, did_you_mean_on_disk(path)));
}

} // namespace bowhist

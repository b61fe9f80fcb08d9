#include <bowhist/index/walk.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/index/dry_run.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/library/known_roots.hpp>
#include <bowhist/library/spelling.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <tbb/parallel_for.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <utility>
#include <vector>

namespace bowhist {

bool is_empty_folder(const std::filesystem::path &folder) {
    std::error_code error;
    const std::filesystem::directory_iterator first(folder, error);
    return !error && first == std::filesystem::directory_iterator();
}

namespace {

/// A folder, opened so that its files are found by their names alone.
class OpenFolder {
  public:
    explicit OpenFolder(const std::filesystem::path &path)
        : descriptor_(::open(path.empty() ? "." : path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)),
          is_empty_(is_empty_folder(path.empty() ? "." : path)) {}
    ~OpenFolder() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    OpenFolder(const OpenFolder &) = delete;
    OpenFolder &operator=(const OpenFolder &) = delete;

    void look_at(ListedFile &file) const {
        struct stat found {};
        if (::fstatat(descriptor_, file.name.c_str(), &found, 0) != 0) {
            file.is_missing = errno == ENOENT && !is_empty_;
            return;
        }
        file.is_there = true;
        const auto nanoseconds = [](const timespec &time) {
            return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
        };
        file.stamp = {static_cast<std::uint64_t>(found.st_size), nanoseconds(found.st_mtim)};
        file.changed = nanoseconds(found.st_ctim);
        const std::array<std::uint64_t, 2> identity = {found.st_dev, found.st_ino};
        file.file = static_cast<std::int64_t>(XXH3_64bits(identity.data(), sizeof(identity)));
    }

  private:
    int descriptor_;
    bool is_empty_;
};

} // namespace

std::vector<ListedFile> look_at(const std::filesystem::path &folder,
                                std::vector<std::string> &&names) {
    std::vector<ListedFile> files(names.size());
    const OpenFolder open(folder);
    tbb::parallel_for(std::size_t{0}, names.size(), [&](std::size_t i) {
        files[i].name = std::move(names[i]);
        open.look_at(files[i]);
    });
    return files;
}

Merge::Merge(Catalogue &catalogue, Ingest &ingest, const IndexRequest &request, IndexRun &counts,
             std::int64_t run, Observer &observer)
    : catalogue_(catalogue), ingest_(ingest), request_(request), counts_(counts), run_(run),
      observer_(observer), now_(std::time(nullptr)) {}

void Merge::folder(RowId folder, const FolderPlace &place, std::vector<ListedFile> &&files,
                   bool is_whole) {
    std::vector<FileRow> rows = catalogue_.files(folder);
    auto row = rows.begin();
    const auto unlisted = [&](FileRow &other) {
        if (is_whole && !other.gone) mark_gone(other, place.printed);
    };
    for (const ListedFile &file : files) {
        for (; row != rows.end() && row->name < file.name; ++row) unlisted(*row);
        if (row != rows.end() && row->name == file.name)
            known(std::move(*row++), file, place);
        else if (file.is_missing)
            skip(place.printed + file.name,
                 "there is no such file" + did_you_mean_on_disk(place.opened + file.name));
        else
            read({.folder = folder, .name = file.name, .run = run_}, file, place);
    }
    for (; row != rows.end(); ++row) unlisted(*row);
}

void Merge::gone_folder(RowId folder, const std::string &printed) {
    for (FileRow &row : catalogue_.files(folder))
        if (!row.gone) mark_gone(row, printed);
}

void Merge::known(FileRow &&row, const ListedFile &file, const FolderPlace &place) {
    if (file.is_missing) {
        if (!row.gone) mark_gone(row, place.printed);
        return;
    }
    if (!file.is_there && row.content) // its disk may be away: it stays as it is
        return skip(place.printed + file.name, "cannot be looked at; it stays as it was");
    const bool is_same = row.content && row.stamp == file.stamp;
    if (!is_same) return read(std::move(row), file, place);
    unchanged(std::move(row), file, place);
}

void Merge::unchanged(FileRow &&row, const ListedFile &file, const FolderPlace &place) {
    const bool was_gone = row.gone.has_value();
    if (was_gone) report("back", place.printed + row.name);
    ++(was_gone ? counts_.back : counts_.unchanged);
    ingest_.note_content(*row.content);
    const bool is_touched = row.changed && row.changed != file.changed;
    const bool is_verified = is_to_verify(row);
    if (is_verified) ++counts_.verified;
    if (is_touched || is_verified) {
        const auto expected = row.content;
        row.file = file.file;
        return check({std::move(row), place.printed + file.name, place.opened + file.name, expected,
                      is_touched});
    }
    if (!was_gone && row.file == file.file && row.changed) return;
    row.gone.reset();
    row.file = file.file;
    row.changed = file.changed; // an earlier version did not record it
    ingest_.begin_writing();
    catalogue_.update(row);
}

/// A dry run reads nothing else that is there.
void Merge::check(FileJob &&job) {
    if (request_.dry_run && job.is_touched && !job.row.gone &&
        content_of(catalogue_, job.opened).value_or(*job.expected) != *job.expected) {
        report("changed", job.path);
        ++counts_.changed;
        --counts_.unchanged;
    }
    ingest_.add(std::move(job));
}

void Merge::skip(const std::string &path, std::string_view reason) {
    observer_.skipped(fmt::format("{}: {}", std::filesystem::path(path), reason));
    ++counts_.skipped;
}

/// Another sample in each run.
bool Merge::is_to_verify(const FileRow &row) const {
    if (request_.verify_percent <= 0) return false;
    const std::array<std::int64_t, 2> draw = {row.id, run_};
    constexpr std::uint64_t parts = 1'000'000;
    const auto part = XXH3_64bits(draw.data(), sizeof(draw)) % parts;
    return static_cast<double>(part) < request_.verify_percent / 100 * parts;
}

void Merge::mark_gone(FileRow &row, const std::string &printed) {
    report("gone", printed + row.name);
    row.gone = now_;
    ingest_.begin_writing();
    catalogue_.update(row);
    ++counts_.gone;
}

void Merge::read(FileRow &&row, const ListedFile &file, const FolderPlace &place) {
    const bool is_new = row.id == 0;
    if (is_new || row.stamp != file.stamp) { // else it was skipped, and is tried again
        report(is_new ? "new" : "changed", place.printed + file.name);
        if (request_.dry_run) ++(is_new ? counts_.added : counts_.changed);
    }
    if (!row.content) row.run = run_; // it may have moved
    row.stamp = file.stamp;
    row.file = file.file;
    ingest_.add({std::move(row), place.printed + file.name, place.opened + file.name});
}

void Merge::report(std::string_view what, const std::string &path) const {
    if (request_.report) request_.report(what, path);
}

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

InputList Walk::run(const Targets &targets) {
    FolderSearch search(InputSource{}, observer_);
    for (const std::string &root : targets.roots) search.leave_out(root);
    for (const RootRow &root : targets.repeated) leave(root);
    for (const FolderTarget &target : targets.folders) walk(target, search);
    for (const auto &[key, target] : targets.files) look_at(target);
    ingest_.finish();
    return {.inputs = {},
            .skipped = unlisted_,
            .ignored = search.ignored_files(),
            .ignored_folders = search.ignored_folders()};
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

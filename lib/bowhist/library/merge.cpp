#include <bowhist/library/merge.hpp>

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

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
        file.stamp = {static_cast<std::uint64_t>(found.st_size),
                      std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec};
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
             std::int64_t run, bool retries, Observer &observer)
    : catalogue_(catalogue), ingest_(ingest), request_(request), counts_(counts), run_(run),
      retries_(retries), observer_(observer), now_(std::time(nullptr)) {}

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
            skip(place.printed + file.name, "there is no such file");
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
    const bool is_retried = is_same && retries_ && catalogue_.is_skipped(*row.content);
    if (!is_same || is_retried) return read(std::move(row), file, place);
    unchanged(std::move(row), file, place);
}

void Merge::unchanged(FileRow &&row, const ListedFile &file, const FolderPlace &place) {
    const bool was_gone = row.gone.has_value();
    if (was_gone) report("back", place.printed + row.name);
    ++(was_gone ? counts_.back : counts_.unchanged);
    if (is_to_verify(row)) {
        ++counts_.verified;
        const auto expected = row.content;
        row.file = file.file;
        return ingest_.add(
            {std::move(row), place.printed + file.name, place.opened + file.name, expected});
    }
    if (!was_gone && row.file == file.file) return;
    row.gone.reset();
    row.file = file.file;
    ingest_.begin_writing();
    catalogue_.update(row);
}

void Merge::skip(const std::string &path, const char *reason) {
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
    report(row.id == 0 ? "new" : "changed", place.printed + file.name);
    ++(row.id == 0 ? counts_.added : counts_.changed);
    row.stamp = file.stamp;
    row.file = file.file;
    ingest_.add({std::move(row), place.printed + file.name, place.opened + file.name});
}

void Merge::report(std::string_view what, const std::string &path) const {
    if (request_.report) request_.report(what, path);
}

} // namespace bowhist

// Roots, folders and files of a library.
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/row_sum.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

std::string joined(const std::vector<std::string> &globs) {
    std::string bytes;
    for (const std::string &glob : globs) bytes += glob + '\0';
    return bytes;
}

std::vector<std::string> split(std::string_view bytes) {
    std::vector<std::string> globs;
    while (!bytes.empty()) {
        const auto end = bytes.find('\0');
        globs.emplace_back(bytes.substr(0, end));
        bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
    }
    return globs;
}

std::int64_t sum_of(const RootRow &row) {
    return RowSum::of(row.path, joined(row.excluded), row.hidden, row.place);
}

std::int64_t sum_of(const FileRow &row) {
    return RowSum::of(row.folder, row.name, row.stamp.size, row.stamp.modified, row.file,
                      row.content, row.skipped, row.gone, row.run);
}

/// A path below a folder, with a slash at its end or empty, that leads to it from nowhere else.
bool is_below(std::string_view path) {
    while (!path.empty()) {
        const std::size_t end = path.find('/');
        const std::string_view part = path.substr(0, end);
        const bool is_name = end != path.npos && !part.empty() && part != "." && part != ".." &&
                             part.find('\0') == part.npos;
        if (!is_name) return false;
        path.remove_prefix(end + 1);
    }
    return true;
}

bool is_file_name(const std::string &name) {
    const std::string_view opened = name.c_str(); // a NUL ends it
    return !opened.empty() && opened != "." && opened != ".." && name.find('/') == name.npos;
}

bool is_possible(const FileRow &row) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    return is_file_name(row.name) && row.stamp.size <= static_cast<std::uint64_t>(most) &&
           row.run >= 0 && row.run <= most;
}

} // namespace

std::vector<RootRow> Catalogue::roots() {
    Statement statement(
        database_, "SELECT id, path, excluded, hidden, place, checksum FROM roots ORDER BY id");
    std::vector<RootRow> all;
    while (statement.step()) {
        all.push_back({statement.number(0), std::string(statement.bytes(1)),
                       split(statement.bytes(2)), statement.number(3) != 0,
                       std::string(statement.bytes(4))});
        if (statement.number(5) != sum_of(all.back())) fail_damaged("roots", all.back().id);
    }
    return all;
}

RootRow Catalogue::put_root(const RootRow &root) {
    Statement statement(database_,
                        "INSERT INTO roots VALUES(NULL, ?1, ?2, ?3, ?4, ?5) ON CONFLICT(path) DO "
                        "UPDATE SET excluded=excluded.excluded, hidden=excluded.hidden, "
                        "place=excluded.place, checksum=excluded.checksum RETURNING id");
    const std::string excluded = joined(root.excluded);
    statement.with(Blob{root.path}, Blob{excluded}, root.hidden, Blob{root.place}, sum_of(root))
        .step();
    RootRow row = root;
    row.id = statement.number(0);
    statement.run();
    return row;
}

void Catalogue::rename_root(const RootRow &root) {
    for (const RootRow &other : roots())
        if (other.id != root.id && other.path == root.path)
            throw Error(Fault::usage,
                        fmt::format("{} has a folder {} already; take one out first",
                                    database_.path(), std::filesystem::path(root.path)));
    Statement statement(database_, "UPDATE roots SET path=?2, place=?3, checksum=?4 WHERE id=?1");
    statement.with(root.id, Blob{root.path}, Blob{root.place}, sum_of(root)).run();
}

RowId Catalogue::known_folder(RowId root, std::string_view path) {
    if (!folder_.with(root, Blob{path}).step()) return 0;
    const RowId id = folder_.number(0);
    verify_folder(id, root, path, folder_.number(1));
    folder_.reset();
    return id;
}

RowId Catalogue::folder(RowId root, std::string_view path) {
    if (const RowId known = known_folder(root, path); known != 0) return known;
    insert_folder_.with(root, Blob{path}, RowSum::of(root, path)).run();
    return database_.last_row();
}

void Catalogue::verify_folder(RowId id, RowId root, std::string_view path, std::int64_t checksum) {
    bool is_whole = checksum == RowSum::of(root, path);
    if (is_whole && !is_below(path)) { // as only a file is named
        is_whole = is_of_files_.with(root).step();
        is_of_files_.reset();
    }
    if (!is_whole) fail_damaged("folders", id);
}

Catalogue::Folder Catalogue::folder_row(RowId id) {
    if (!folder_row_.with(id).step()) fail_damaged("folders", id);
    verify_folder(id, folder_row_.number(0), folder_row_.bytes(1), folder_row_.number(2));
    Folder folder{folder_row_.number(0), std::string(folder_row_.bytes(1))};
    folder_row_.reset();
    return folder;
}

std::size_t Catalogue::rename_folders(
    RowId root, const std::function<std::optional<std::string>(std::string_view)> &new_path) {
    std::vector<std::pair<RowId, std::string>> renamed;
    for_each_folder(root, [&](RowId id, std::string_view path) {
        if (const auto changed = new_path(path)) renamed.emplace_back(id, *changed);
    });
    Statement statement(database_, "UPDATE folders SET path=?2, checksum=?3 WHERE id=?1");
    for (const auto &[id, path] : renamed)
        statement.with(id, Blob{path}, RowSum::of(root, path)).run();
    return renamed.size();
}

void Catalogue::for_each_folder(RowId root,
                                const std::function<void(RowId, std::string_view)> &use) {
    Statement statement(database_, "SELECT id, path, checksum FROM folders WHERE root = ?1");
    statement.with(root);
    while (statement.step()) {
        verify_folder(statement.number(0), root, statement.bytes(1), statement.number(2));
        use(statement.number(0), statement.bytes(1));
    }
}

FileRow Catalogue::row_of_file(const Statement &statement) const {
    FileRow row;
    row.id = statement.number(0);
    row.folder = statement.number(1);
    row.name = statement.bytes(2);
    row.stamp = {static_cast<std::uint64_t>(statement.number(3)), statement.number(4)};
    row.file = statement.number(5);
    row.content = statement.optional_number(6);
    row.skipped = statement.optional_bytes(7);
    row.gone = statement.optional_number(8);
    row.run = statement.number(9);
    const bool is_whole = statement.number(10) == sum_of(row) && is_possible(row);
    if (!is_whole) fail_damaged("files", row.id);
    return row;
}

std::vector<FileRow> Catalogue::files(RowId folder) {
    std::vector<FileRow> rows;
    files_.with(folder);
    while (files_.step()) rows.push_back(row_of_file(files_));
    return rows;
}

FileRow Catalogue::file(RowId id) {
    if (!file_.with(id).step()) fail_damaged("files", id);
    FileRow row = row_of_file(file_);
    file_.reset();
    return row;
}

void Catalogue::insert(FileRow &row) {
    insert_file_
        .with(row.folder, Blob{row.name}, row.stamp.size, row.stamp.modified, row.file, row.content,
              row.skipped, row.gone, row.run, sum_of(row))
        .run();
    row.id = database_.last_row();
}

void Catalogue::update(const FileRow &row) {
    update_file_
        .with(row.id, row.folder, Blob{row.name}, row.stamp.size, row.stamp.modified, row.file,
              row.content, row.skipped, row.gone, row.run, sum_of(row))
        .run();
}

void Catalogue::erase_file(RowId id) {
    erase_file_.with(id).run();
}

void Catalogue::take(const FileRow &row) {
    Statement other(database_, "SELECT 1 FROM files WHERE folder = ?1 AND name = ?2");
    if (other.with(row.folder, Blob{row.name}).step()) return erase_file(row.id);
    update(row);
}

} // namespace bowhist

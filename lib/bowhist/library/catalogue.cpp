#include <bowhist/library/catalogue.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/file/row_sum.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <limits>

namespace bowhist {
namespace {

constexpr const char *oldest_columns = "hash, width, height, captured, skipped";
constexpr const char *traits = "frames, color, orientation, metadata";

/// "contents.hash, contents.width", of "contents" and "hash, width".
std::string of_table(const std::string &table, std::string columns) {
    for (std::size_t at = 0; at != columns.npos; at = columns.find(", ", at)) {
        if (at > 0) at += 2;
        columns.insert(at, table + '.');
    }
    return columns;
}

bool is_possible(const ContentRow &row) {
    const auto is_within = [](const std::optional<std::int64_t> &number, std::int64_t least,
                              std::int64_t most) {
        return !number || (*number >= least && *number <= most);
    };
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const int least_side = row.skipped ? 0 : 1;
    return row.hash.size() == sizeof(XXH128_hash_t) && row.width >= least_side &&
           row.height >= least_side && is_within(row.frames, 0, most) &&
           is_within(row.color, 0, most) && is_within(row.orientation, 0, 8) &&
           is_within(row.metadata, 0, 63);
}

} // namespace

void ContentRow::take(const ImageTraits &said) {
    frames = said.frames;
    orientation = said.orientation;
    metadata = said.metadata;
    captured = said.captured;
}

ContentColumns::ContentColumns(Database &database)
    : has_traits_(database.number("PRAGMA user_version") >= 3) {}

std::string ContentColumns::selected() const {
    return of_table("contents", oldest_columns) + ", " +
           (has_traits_ ? of_table("contents", traits) : "NULL, NULL, NULL, NULL") +
           ", contents.checksum";
}

std::string ContentColumns::summed() const {
    return has_traits_ ? fmt::format("{}, {}", oldest_columns, traits) : oldest_columns;
}

std::optional<ContentRow> ContentColumns::row(const Statement &statement, int first) const {
    const std::int64_t width = statement.number(first + 1), height = statement.number(first + 2);
    ContentRow row{.hash = std::string(statement.bytes(first)),
                   .width = static_cast<int>(width),
                   .height = static_cast<int>(height),
                   .captured = statement.optional_bytes(first + 3),
                   .skipped = statement.optional_bytes(first + 4),
                   .frames = statement.optional_number(first + 5),
                   .color = statement.optional_number(first + 6),
                   .orientation = statement.optional_number(first + 7),
                   .metadata = statement.optional_number(first + 8)};
    const bool is_whole = row.width == width && row.height == height &&
                          statement.number(first + count - 1) == sum(row) && is_possible(row);
    if (!is_whole) return std::nullopt;
    return row;
}

std::int64_t ContentColumns::sum(const ContentRow &row) const {
    if (!has_traits_) return RowSum::of(row.hash, row.width, row.height, row.captured, row.skipped);
    return RowSum::of(row.hash, row.width, row.height, row.captured, row.skipped, row.frames,
                      row.color, row.orientation, row.metadata);
}

namespace {

std::optional<Blob> blob(const std::optional<std::string> &bytes) {
    if (!bytes) return std::nullopt;
    return Blob{*bytes};
}

} // namespace

Catalogue::Catalogue(Database &database)
    : database_(database), columns_(database), file_columns_(database),
      about_(database, "SELECT value, checksum FROM about WHERE name = ?1"),
      set_about_(database, "INSERT OR REPLACE INTO about VALUES(?1, ?2, ?3)"),
      folder_(database, "SELECT id, checksum FROM folders WHERE root = ?1 AND path = ?2"),
      folder_row_(database, "SELECT root, path, checksum FROM folders WHERE id = ?1"),
      is_of_files_(database, "SELECT 1 FROM roots WHERE id = ?1 AND path = x''"),
      insert_folder_(database, "INSERT INTO folders VALUES(NULL, ?1, ?2, ?3)"),
      files_(database, fmt::format("SELECT {} FROM files WHERE folder = ?1 ORDER BY name",
                                   file_columns_.selected())),
      file_(database, fmt::format("SELECT {} FROM files WHERE id = ?1", file_columns_.selected())),
      erase_file_(database, "DELETE FROM files WHERE id = ?1"),
      content_(database, fmt::format("SELECT {}, contents.id FROM contents WHERE hash = ?1",
                                     columns_.selected())),
      skipped_(database, "SELECT skipped IS NOT NULL FROM contents WHERE id = ?1"),
      insert_words_(database, "INSERT INTO words VALUES(?1, ?2, ?3, ?4, ?5)"),
      insert_code_(database, "INSERT INTO codes VALUES(?1, ?2, ?3, ?4)"),
      insert_thumbnail_(database, "INSERT INTO thumbnails VALUES(?1, ?2, ?3)"),
      insert_unindexed_(database, "INSERT INTO unindexed VALUES(?1, ?2)") {}

void Catalogue::fail_damaged(std::string_view table, RowId id) const {
    throw Error(Fault::input,
                fmt::format("{}: row {} of its table {} is damaged; see bowhist status "
                            "--integrity, and make the library again",
                            database_.path(), id, table));
}

std::optional<std::string> Catalogue::about(std::string_view name) {
    if (!about_.with(name).step()) return std::nullopt;
    std::string value(about_.bytes(0));
    if (about_.number(1) != RowSum::of(name, value)) fail_damaged("about", 0);
    about_.reset();
    return value;
}

std::int64_t Catalogue::number_about(std::string_view name) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const auto text = about(name);
    if (!text) return 0;
    const auto number = as_number<std::int64_t>(*text);
    if (!number || *number < 0 || *number > most) fail_damaged("about", 0);
    return *number;
}

void Catalogue::set_about(std::string_view name, std::string_view value) {
    set_about_.with(name, Blob{value}, RowSum::of(name, value)).run();
}

std::vector<StoredModel> Catalogue::models(bool whole) {
    Statement statement(database_, "SELECT kind, fingerprint, recipe, size, model, record, "
                                   "checksum, rowid FROM models ORDER BY kind");
    std::vector<StoredModel> all;
    while (statement.step()) {
        const auto bytes = [&](int column) { return statement.bytes(column); };
        const std::int64_t size = statement.number(3);
        const bool is_whole = statement.number(6) == RowSum::of(bytes(0), bytes(1), bytes(2), size,
                                                                bytes(4), bytes(5)) &&
                              is_possible_model(bytes(0), size, bytes(4));
        if (!is_whole) fail_damaged("models", statement.number(7));
        all.push_back({.kind = std::string(bytes(0)),
                       .fingerprint = std::string(bytes(1)),
                       .recipe = std::string(bytes(2)),
                       .model = std::string(whole ? bytes(4) : ""),
                       .record = std::string(whole ? bytes(5) : ""),
                       .size = static_cast<std::size_t>(size)});
    }
    return all;
}

void Catalogue::put(const StoredModel &model) {
    Statement statement(database_, "INSERT OR REPLACE INTO models VALUES(?1, ?2, ?3, ?4, ?5, ?6, "
                                   "?7)");
    statement
        .with(model.kind, model.fingerprint, model.recipe, model.size, Blob{model.model},
              Blob{model.record},
              RowSum::of(model.kind, model.fingerprint, model.recipe, model.size, model.model,
                         model.record))
        .run();
}

std::optional<Catalogue::Known> Catalogue::content(std::string_view hash) {
    if (!content_.with(Blob{hash}).step()) return std::nullopt;
    const RowId id = content_.number(ContentColumns::count);
    const std::optional<ContentRow> row = columns_.row(content_, 0);
    if (!row) fail_damaged("contents", id);
    content_.reset();
    return Known{id, row->skipped};
}

bool Catalogue::is_skipped(RowId content) {
    const bool skipped = skipped_.with(content).step() && skipped_.number(0) != 0;
    skipped_.reset();
    return skipped;
}

RowId Catalogue::put(const ContentRow &row) {
    if (!insert_content_)
        insert_content_.emplace(database_, "INSERT INTO contents(hash, width, height, captured, "
                                           "skipped, frames, color, orientation, metadata, "
                                           "checksum) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
                                           "?10)");
    insert_content_
        ->with(Blob{row.hash}, row.width, row.height, row.captured, row.skipped, row.frames,
               row.color, row.orientation, row.metadata, columns_.sum(row))
        .run();
    const RowId id = database_.last_row();
    put_descriptions(row, id);
    return id;
}

void Catalogue::put_descriptions(const ContentRow &row, RowId id) {
    if (row.words)
        insert_words_
            .with(id, Blob{*row.words}, blob(row.places), blob(row.mirrored),
                  RowSum::of(id, row.words, row.places, row.mirrored))
            .run();
    if (row.code)
        insert_code_
            .with(id, row.descriptors, Blob{*row.code}, RowSum::of(id, row.descriptors, row.code))
            .run();
    if (row.words || row.code) insert_unindexed_.with(id, RowSum::of(id)).run();
    if (row.thumbnail)
        insert_thumbnail_.with(id, Blob{*row.thumbnail}, RowSum::of(id, row.thumbnail)).run();
}

// Roots, folders and files of a library.
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

FileColumns::FileColumns(Database &database)
    : has_changed_(database.number("PRAGMA user_version") >= 3) {}

std::string FileColumns::selected() const {
    return of_table("files", "id, folder, name, size, modified, file, content, skipped, gone, run, "
                             "checksum") +
           (has_changed_ ? ", files.changed" : ", NULL");
}

std::string FileColumns::summed() const {
    return fmt::format("folder, name, size, modified, file, content, skipped, gone, run{}",
                       has_changed_ ? ", changed" : "");
}

std::optional<FileRow> FileColumns::row(const Statement &statement) const {
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
    row.changed = statement.optional_number(11);
    const bool is_possible_id = row.id != 0; // 0 stands for a file that is new
    if (!is_possible_id || statement.number(10) != sum(row) || !is_possible(row))
        return std::nullopt;
    return row;
}

std::int64_t FileColumns::sum(const FileRow &row) const {
    RowSum sum;
    sum.add_all(row.folder, row.name, row.stamp.size, row.stamp.modified, row.file, row.content,
                row.skipped, row.gone, row.run);
    if (has_changed_) sum.add(row.changed);
    return sum.value();
}

FileRow Catalogue::row_of_file(const Statement &statement) const {
    auto row = file_columns_.row(statement);
    if (!row) fail_damaged("files", statement.number(0));
    return *std::move(row);
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

Catalogue::FileWriting::FileWriting(Database &database)
    : insert(database,
             "INSERT INTO files VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"),
      update(database,
             "UPDATE files SET folder=?2, name=?3, size=?4, modified=?5, file=?6, content=?7,"
             " skipped=?8, gone=?9, run=?10, checksum=?11, changed=?12 WHERE id=?1") {}

Catalogue::FileWriting &Catalogue::file_writing() {
    if (!file_writing_) file_writing_.emplace(database_);
    return *file_writing_;
}

void Catalogue::insert(FileRow &row) {
    file_writing()
        .insert
        .with(row.folder, Blob{row.name}, row.stamp.size, row.stamp.modified, row.file, row.content,
              row.skipped, row.gone, row.run, file_columns_.sum(row), row.changed)
        .run();
    row.id = database_.last_row();
}

void Catalogue::update(const FileRow &row) {
    file_writing()
        .update
        .with(row.id, row.folder, Blob{row.name}, row.stamp.size, row.stamp.modified, row.file,
              row.content, row.skipped, row.gone, row.run, file_columns_.sum(row), row.changed)
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
